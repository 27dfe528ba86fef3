//! `asdf cutout`: writes a part of an image with its world coordinates.

mod images;
mod region;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::PathBuf;

use asdf_core::{Error, File, NdArray, Result};
use asdf_fits::cards_of;
use asdf_gwcs::Wcs;
use asdf_tables::json::Printable;
use asdf_tables::{Dataset, WriteOptions};
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
use images::{Array, Found};
use region::{Centre, Region, Size, degrees};

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
    #[arg(short, long, value_name = "SIZE")]
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
    let found = Found::of(&file).map_err(located)?;
    let image = args.image.as_ref().map(|word| file.tree().resolve_path(word));
    let shape = found.image_of(&wcs, image.as_ref().map(|path| path.as_str())).map_err(located)?;
    let region = Region::of(&wcs, centre, args.size, shape).map_err(located)?;
    if region.is_clipped {
        let (width, height) = (region.width(), region.height());
        let message =
            format!("the cutout reaches over the edge of the image and is only {width} x {height} pixels");
        context.warnings.tell(located(Error::usage(message)));
    }
    let cut = Cut { region, shape, found };
    match args.format() {
        Format::Asdf => cut.asdf(args, file, &wcs, context).map_err(located)?,
        Format::Fits => {
            let (units, options) = cut.fits(args, file, &wcs, context, input).map_err(located)?;
            args.destination.write(context, out, |out| options.write_units(&units, out).map_err(located))?;
        }
    }
    cut.tell(args, &wcs, input, out)
}

/// A cutout, and the arrays of the file.
struct Cut {
    region: Region,
    shape: [u64; 2],
    found: Found,
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
}

impl Cut {
    fn images(&self) -> impl Iterator<Item = &Array> {
        self.found.arrays.iter().filter(|array| array.image_shape() == Some(self.shape))
    }

    fn others(&self) -> impl Iterator<Item = &Array> {
        self.found.arrays.iter().filter(|array| array.image_shape() != Some(self.shape))
    }

    fn part(&self, array: &NdArray) -> Result<NdArray> {
        array.slice(&self.region.slices())
    }

    /// Writes the whole tree with the parts of the arrays.
    fn asdf(&self, args: &Args, mut file: File, wcs: &Wcs, context: &Context) -> Result<()> {
        for Array { paths, array } in self.images() {
            let path = paths.first().map_or("", String::as_str);
            let part =
                self.part(array).and_then(|part| part.packed()).map_err(|error| error.at_path(path))?;
            file.set(path, &part)?;
            let node = file.at(path)?.id();
            for alias in paths.iter().skip(1) {
                file.tree_mut().edit(alias).set(node)?;
            }
        }
        self.slice_systems(&mut file, wcs)?;
        if args.only_cut {
            for path in self.others().flat_map(|array| &array.paths) {
                remove(&mut file, path)?;
            }
        }
        let path = args.destination.path().unwrap_or(std::path::Path::new("-"));
        new_file::write(&context.write_options(), &file, path, &context.remote)
    }

    /// Slices the wcs, and others of images of the same shape.
    fn slice_systems(&self, file: &mut File, wcs: &Wcs) -> Result<()> {
        let ranges = [self.region.x.clone(), self.region.y.clone()];
        let [height, width] = self.shape;
        for paths in &self.found.systems {
            let path = paths.first().map_or("", String::as_str);
            let is_own = paths.iter().any(|path| path == wcs.path());
            let is_alike =
                |other: &Wcs| other.pixel_shape().is_some_and(|shape| shape.starts_with(&[width, height]));
            let other = if is_own { None } else { Wcs::open(file, path).ok().filter(is_alike) };
            let Some(system) = is_own.then_some(wcs).or(other.as_ref()) else { continue };
            let node = system.slice(file.at(path)?, &ranges)?;
            file.set(path, &node)?;
            let node = file.at(path)?.id();
            for alias in paths.iter().skip(1) {
                file.tree_mut().edit(alias).set(node)?;
            }
        }
        Ok(())
    }

    /// Returns the units of a FITS file, and how to write them.
    fn fits(
        &self,
        args: &Args,
        mut file: File,
        wcs: &Wcs,
        context: &Context,
        input: &Input,
    ) -> Result<(Vec<(String, Dataset)>, WriteOptions)> {
        let mut units: Vec<(String, Dataset)> = Vec::new();
        let mut above = None;
        for image in self.images() {
            let path = image.path();
            let (parent, key) = path.rsplit_once('/').unwrap_or_default();
            let quantity = file.at(parent).ok().filter(|_| key == "value");
            let is_quantity =
                quantity.is_some_and(|node| node.own_tag().is_some_and(|tag| tag.contains("/quantity-")));
            let path = if is_quantity { parent } else { path };
            let dataset =
                Dataset::from_node(file.at(path)?).and_then(|dataset| dataset.slice(&self.region.slices()));
            let dataset = dataset.map_err(|error| error.at_path(path))?;
            let (mapping, last) = path.rsplit_once('/').unwrap_or_default();
            above.get_or_insert_with(|| mapping.to_owned());
            let last = last.replace("~1", "/").replace("~0", "~");
            let is_taken = units.iter().any(|(name, _)| name.eq_ignore_ascii_case(&last));
            let name = if is_taken { path.trim_start_matches('/').replace('/', "_") } else { last };
            units.push((name, dataset));
        }
        let part = [self.region.width(), self.region.height()];
        let meta = above.and_then(|above| file.at(&format!("{above}/meta")).ok());
        let meta = meta.map(cards_of).unwrap_or_default();
        self.slice_systems(&mut file, wcs)?;
        let wcs = Wcs::open(&file, wcs.path())?.threads(context.threads);
        let cards = args.wcs_cards.cards(&wcs, part, [0.0, 0.0], &context.warnings, &input.name());
        let options = WriteOptions::default().cards(meta).image_cards([part[1], part[0]], cards);
        Ok((units, options))
    }

    /// Describes the file that was written.
    fn tell(&self, args: &Args, wcs: &Wcs, input: &Input, out: &mut dyn Write) -> Result<()> {
        let Some(file) = args.destination.path() else { return Ok(()) };
        let Region { x, y, is_clipped } = &self.region;
        let (width, height) = (self.region.width(), self.region.height());
        let arrays: Vec<&str> = self.images().map(Array::path).collect();
        if args.json {
            let report = json!({
                "asdf_cutout": 1,
                "file": input.name(),
                "path": wcs.path(),
                "x": x.start,
                "y": y.start,
                "width": width,
                "height": height,
                "clipped": is_clipped,
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

/// Removes an array, with the quantity or the table that it belongs to.
///
/// An item of a list becomes null, so that the others keep their numbers.
fn remove(file: &mut File, path: &str) -> Result<()> {
    let needs_array = |path: &str| {
        let tag = file.at(path).ok().and_then(|node| node.own_tag().map(str::to_owned)).unwrap_or_default();
        ["/quantity-", "/column-", "/table-"].iter().any(|name| tag.contains(name))
    };
    let ends = path.match_indices('/').map(|(end, _)| end).skip(1);
    let whole = ends.filter_map(|end| path.get(..end)).find(|above| needs_array(above)).unwrap_or(path);
    let (parent, key) = whole.rsplit_once('/').unwrap_or_default();
    let key = key.replace("~1", "/").replace("~0", "~");
    // Another array of the same table can have removed it already.
    let Some(node) = file.at(parent).ok().filter(|_| file.at(whole).is_ok()) else { return Ok(()) };
    let (id, is_mapping) = (node.id(), node.kind() == asdf_core::tree::Kind::Mapping);
    let tree = file.tree_mut();
    if is_mapping {
        tree.remove(id, &key);
        return Ok(());
    }
    let null = tree.add_null();
    tree.edit(whole).set(null)
}
