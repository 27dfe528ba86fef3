//! `asdf cutout`: writes a part of an image with its world coordinates.

#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, File, Result};
use asdf_gwcs::{Angle, Centre, Cutout, Size, Wcs};
use asdf_tables::json::Printable;
use asdf_tables::wcs::CutoutUnits;
use clap::ValueEnum;
use serde_json::json;

use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::printable::line;
use crate::stdout_or_file::StdoutOrFile;
use crate::wcs_cards::WcsCards;
use crate::{new_file, wcs_choice};

/// Write a part of an image with its world coordinates.
///
/// The centre is a position on the sky, in the reference frame of the file, or a pixel. All arrays whose last two axes
/// have the shape of the image are cut, such as data, errors and flags, and cubes. Only the rows that are needed are
/// read. A cutout that reaches over the edge of the image is smaller.
///
/// An ASDF file gets the whole tree. Its world coordinates are those of the cutout, and everything else is unchanged,
/// including arrays of other shapes and metadata such as an outline of the whole image. A FITS file (OUT ends in .fits)
/// gets an HDU for each cut array, with world coordinates as SIP keywords, and the scalars of `meta` in the first HDU.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  asdf cutout image.asdf --ra 269.83 --dec 66.03 --size 30arcsec -o star.asdf
  asdf cutout image.asdf --ra 17:59:20 --dec +66:02:08 --size 1arcmin,30arcsec -o star.fits
  asdf cutout image.asdf --pixel 2043,1000 --size 200 --only-cut -o part.asdf")]
pub(crate) struct Args {
    /// Right ascension of the centre: 269.83, 17:59:20 or 17h59m20s
    #[arg(
        long,
        value_name = "RA",
        allow_hyphen_values = true,
        requires = "dec",
        required_unless_present = "pixel"
    )]
    ra: Option<String>,

    /// Declination of the centre, or latitude: 66.03, +66:01:48 or 66d01m48s
    #[arg(long, value_name = "DEC", allow_hyphen_values = true, requires = "ra")]
    dec: Option<String>,

    /// Pixel of the centre; 0,0 is the centre of the first pixel
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true, conflicts_with_all = ["ra", "dec"], value_parser = pixel)]
    pixel: Option<[f64; 2]>,

    /// Size of the cutout: one length, or width and height
    ///
    /// Lengths are in arcsec, arcmin, deg, mas or pix (the default).
    #[arg(short, long, value_name = "SIZE", value_parser = size)]
    size: Size,

    /// Use the world coordinate system at PATH [default: the only one]
    #[arg(short, long, value_name = "PATH", value_hint = PLACE)]
    path: Option<String>,

    /// Take the shape of the image from the array at PATH
    ///
    /// By default, it is that of `pixel_shape` in the world coordinate system, or of the array nearest to it in the tree.
    #[arg(long, value_name = "PATH", value_hint = PLACE)]
    image: Option<String>,

    /// Leave out arrays of other shapes
    #[arg(long)]
    only_cut: bool,

    /// Write this format [default: by the extension of OUT, or asdf]
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,

    /// Print JSON about the cutout
    ///
    /// {"asdf_cutout": 1, "file", "path", "x", "y", "width", "height", "clipped", "arrays", "output"}; x and y are the first
    /// pixel.
    #[arg(long, requires = "output")]
    json: bool,

    #[command(flatten)]
    wcs_cards: WcsCards,

    #[command(flatten)]
    destination: StdoutOrFile,

    /// The file, or - for standard input
    file: PathBuf,
}

/// The format of the cutout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Asdf,
    Fits,
}

fn size(text: &str) -> std::result::Result<Size, String> {
    text.parse().map_err(|error: Error| error.message().to_owned())
}

fn pixel(text: &str) -> std::result::Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let pair = text.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
    pair.ok_or_else(|| "expected two numbers, as in 2043,1000".to_owned())
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    args.destination.check(true, &context.remote)?;
    let centre = args.centre()?;
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    write_part(args, centre, file, &input, context, out)?;
    Ok(Outcome::Fine)
}

/// Writes the cutout of an open file.
fn write_part(
    args: &Args,
    centre: Centre,
    file: File,
    input: &Input,
    context: &Context,
    out: &mut dyn Write,
) -> Result<()> {
    let located = |error: Error| match error.file() {
        Some(_) => error,
        None if error.kind() == asdf_core::error::Kind::Io => error,
        None => error.at_file(input.name()),
    };
    let wcs = args.wcs(&file).map_err(located)?.threads(context.threads);
    let cutout = Cutout::new(&file, &wcs, args.image.as_deref(), centre, args.size).map_err(located)?;
    if cutout.is_clipped() {
        let (width, height) = (cutout.width(), cutout.height());
        let message =
            format!("the cutout reaches over the edge of the image and is only {width} x {height} pixels");
        context.warnings.tell(located(Error::usage(message)));
    }
    match args.format() {
        Format::Asdf => args.asdf(&cutout, file, &wcs, context).map_err(located)?,
        Format::Fits => {
            let units = args.fits(&cutout, file, &wcs, context, input).map_err(located)?;
            args.destination.write(context, out, |out| units.write(out).map_err(located))?;
        }
    }
    args.tell(&cutout, &wcs, input, out)
}

impl Args {
    fn centre(&self) -> Result<Centre> {
        match (self.pixel, &self.ra, &self.dec) {
            (Some(pixel), _, _) => Ok(Centre::Pixel(pixel)),
            (None, Some(ra), Some(dec)) => Ok(Centre::Sky([degrees(ra, true)?, degrees(dec, false)?])),
            _ => Err(Error::usage("expected a centre").with_hint("pass --ra and --dec, or --pixel")),
        }
    }

    fn format(&self) -> Format {
        let is_fits = |path: &std::path::Path| {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
            ["fits", "fit", "fts"].iter().any(|fits| ending.eq_ignore_ascii_case(fits))
        };
        let by_ending =
            || if self.destination.path().is_some_and(is_fits) { Format::Fits } else { Format::Asdf };
        self.to.unwrap_or_else(by_ending)
    }

    fn wcs(&self, file: &File) -> Result<Wcs> {
        wcs_choice::named_or_only(file, self.path.as_deref(), "--path")
    }

    /// Writes the whole tree with the parts of the arrays.
    fn asdf(&self, cutout: &Cutout, mut file: File, wcs: &Wcs, context: &Context) -> Result<()> {
        cutout.apply(&mut file, wcs)?;
        if self.only_cut {
            cutout.remove_others(&mut file)?;
        }
        let path = self.destination.path().unwrap_or(std::path::Path::new("-"));
        new_file::write(&context.write_options(), &file, path, &context.remote)
    }

    /// Returns the units of a FITS file.
    fn fits(
        &self,
        cutout: &Cutout,
        mut file: File,
        wcs: &Wcs,
        context: &Context,
        input: &Input,
    ) -> Result<CutoutUnits> {
        let units = CutoutUnits::new(cutout, &file)?;
        let Some(cards) = self.wcs_cards.options() else { return Ok(units) };
        cutout.apply_to_systems(&mut file, wcs)?;
        let part = Wcs::open(&file, wcs.path())?.threads(context.threads);
        Ok(units.wcs(&part, cards, |warning| context.warnings.tell(warning.at_file(input.name()))))
    }

    /// Describes the file that was written.
    fn tell(&self, cutout: &Cutout, wcs: &Wcs, input: &Input, out: &mut dyn Write) -> Result<()> {
        let Some(file) = self.destination.path() else { return Ok(()) };
        let (x, y) = (cutout.x(), cutout.y());
        let (width, height) = (cutout.width(), cutout.height());
        let arrays: Vec<&str> = cutout.images().map(|(path, _)| path).collect();
        if self.json {
            let report = json!({
                "asdf_cutout": 1,
                "file": input.name(),
                "path": wcs.path(),
                "x": x.start,
                "y": y.start,
                "width": width,
                "height": height,
                "clipped": cutout.is_clipped(),
                "arrays": arrays,
                "output": file.display().to_string(),
            });
            return writeln!(out, "{}", Printable(&report)).map_err(output);
        }
        let arrays: Vec<String> = arrays.into_iter().map(line).collect();
        let name = line(&file.display().to_string());
        let (x, y, arrays) = (x.start, y.start, arrays.join(", "));
        writeln!(out, "{name}: {width} x {height} pixels from pixel {x}, {y} of {arrays}").map_err(output)
    }
}

/// Reads a coordinate in degrees. Colons separate hours, minutes and seconds if `hours` is set.
fn degrees(text: &str, hours: bool) -> Result<f64> {
    let degrees = Angle::parse(text).map(|angle| angle.degrees(hours));
    degrees.filter(|degrees| degrees.is_finite()).ok_or_else(|| {
        Error::usage(format!("found '{text}', expected degrees, or an angle such as 17h45m40.03s"))
    })
}
