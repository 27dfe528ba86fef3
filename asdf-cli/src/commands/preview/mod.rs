//! `asdf preview`: draws an array, or prints a table.

mod companion;
#[cfg(feature = "wcs")]
mod pixels;
mod plot;
mod rgb;
mod sky;
mod sky_args;

use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use asdf_core::array::Slice;
use asdf_core::{Error, File, NdArray, Result, error};
use asdf_picture::{Annotations, Bits, Bounds, Format, GridLine, Labels, Overlay, Rendered};
use asdf_tables::json::Printable;
use asdf_tables::{Dataset, json};
use serde_json::json;

use crate::colour::Colours;
use crate::complete_path::PLACE;
use crate::context::Context;
use crate::input::Input;
use crate::outcome::{Outcome, output};
use crate::picture_options::{LookArgs, worded};
use crate::printable::line;
use crate::stdout_or_file::StdoutOrFile;
use crate::terminal::{Graphics, Window, table};
use crate::{place, tables};
use companion::Companion;
use sky::{Shown, Sky};
use sky_args::SkyArgs;

/// Show an image, a line or a table, or write it as PNG or JPEG.
///
/// An array with two axes is shown as an image, and one with one axis as a line. Of a table, the first rows are
/// printed. If an array has more axes, the last two are shown, at index 0 of the others or as --slice selects.
/// Complex numbers are shown by magnitude. Without --path, shows the array named `data`, or else the first image,
/// table or line of the file.
///
/// In the terminal, images are drawn with the protocol of kitty or iTerm2, sixel, or half blocks. TERM, TERM_PROGRAM
/// and similar variables select one. Large images are shrunk: each pixel is the mean of the elements that it covers.
/// It has the colour of bad elements if more than half of these are bad, or one of their rows or columns. The display
/// range is computed from the elements, not from the shrunk image. Images of more than 134 million elements are
/// subsampled.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("sky").args(["grid", "compass"]).multiple(true))]
#[command(after_help = "Examples:
  asdf preview image.asdf
  asdf preview image.asdf --path /roman/data --slice '0:500, 0:500'
  asdf preview image.asdf --stretch asinh --colormap magma -o picture.png
  asdf preview cube.asdf --path /cube --slice 17 --limits 1%,99%
  asdf preview image.asdf --graphics blocks --size 60
  asdf preview image.asdf --bad ff8000 -o picture.jpg
  asdf preview star.asdf --path /flux --x time -o light_curve.png
  asdf preview image.asdf -p /roman/data --axes --colorbar --overlay dq --bits 0,3 -o picture.png
  asdf preview image.asdf -p /roman/data --grid --compass -o chart.png
  asdf preview sky.asdf --rgb /i,/r,/g -o colour.png
  asdf preview image.asdf -o - | display")]
pub(crate) struct Args {
    /// Show the node at PATH, as in /roman/data
    #[arg(short, long, value_hint = PLACE)]
    path: Option<String>,

    /// Show only a part of the array, as between numpy's brackets
    #[arg(long, value_name = "SLICES", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Plot a line over the numbers of this array
    ///
    /// Both arrays have the same length. PLACE is a path, or the name of a column of the same table. Points are joined
    /// if the numbers only rise or only fall. By default the axis shows the indices.
    #[arg(long, value_name = "PLACE", value_hint = PLACE, conflicts_with = "colorbar")]
    x: Option<String>,

    /// Draw axes with ticks and a title around an image (PNG and JPEG)
    ///
    /// Ticks are indices into the part that is shown. Lines always have axes.
    #[arg(long, requires = "output")]
    axes: bool,

    /// Draw a colour bar beside an image (PNG and JPEG)
    ///
    /// It shows the numbers of the colours, and the unit.
    #[arg(long, requires = "output")]
    colorbar: bool,

    /// Mark the pixels of an image that this array flags
    ///
    /// The array has the shape of the image. Its elements are bool8, or integers such as data-quality flags. PLACE is
    /// a path, or the name of an array in the same mapping as the image. A pixel is marked if any element that it
    /// covers is flagged.
    #[arg(long, value_name = "PLACE", value_hint = PLACE, conflicts_with = "x")]
    overlay: Option<String>,

    /// Mark only pixels with one of these bits, as in 0,3 [default: any]
    #[arg(long, value_name = "LIST", requires = "overlay")]
    bits: Option<Bits>,

    #[command(flatten)]
    sky: SkyArgs,

    /// Show three images of the same shape as red, green and blue
    ///
    /// Uses the method of Lupton et al. (2004), which keeps the colours of bright pixels. The lower limit of --limits
    /// is black and is found for each image. The range is the `stretch` of astropy's make_lupton_rgb, with Q = 8. The
    /// default is --limits zscale. Pass --limits 0,5 for the defaults of make_lupton_rgb.
    #[arg(long, value_name = "R,G,B", conflicts_with_all = [
        "path", "x", "axes", "colorbar", "overlay", "grid", "compass", "stretch", "colormap", "invert",
    ])]
    rgb: Option<rgb::Channels>,

    /// Draw in the terminal in this way [default: the best it supports]
    #[arg(short, long, value_enum, value_name = "WAY")]
    graphics: Option<Graphics>,

    /// Print JSON about the picture
    ///
    /// {"asdf_preview": 1, "path", "datatype", "shape", "slice", "width", "height", "limits", "low", "high",
    /// "stretch", "unit", "x", "overlay", "flagged", "wcs", "grid": {"longitude", "latitude"}, "output"}. With --rgb: {"asdf_preview": 1, "rgb", "shape",
    /// "slice", "width", "height", "limits", "minimum", "stretch", "output"}; minimum and stretch are numbers.
    #[arg(long, requires = "output")]
    json: bool,

    #[command(flatten)]
    destination: StdoutOrFile,

    /// The file, or - for standard input
    file: PathBuf,

    // After the arguments, which would otherwise be under its heading.
    #[command(flatten)]
    look: LookArgs,
}

/// The part of an array that is shown, of one or two axes.
struct Part {
    array: NdArray,
    path: String,
    /// The slice as shown to the user.
    slice: Option<String>,
    unit: Option<String>,
    /// The numbers of the horizontal axis of a line.
    x: Option<Companion>,
    /// The flags of the pixels of an image.
    overlay: Option<Companion>,
    /// The world coordinates over an image.
    sky: Option<Sky>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Outcome> {
    if args.destination.is_given() {
        args.format()?;
        args.destination.check(true, &context.remote)?;
        if args.json && args.destination.path().is_none() {
            return Err(Error::usage("cannot write both the picture and JSON to standard output")
                .with_hint("name a file with --output"));
        }
    }
    let slices = args.slice.as_deref().map(Slice::parse).transpose()?.unwrap_or_default();
    let input = Input::named(args.file.clone());
    let file = context.open(&input.path)?;
    if let Some(channels) = &args.rgb {
        rgb::run(args, channels, &file, &slices, context, out).map_err(|error| match error.kind() {
            error::Kind::Io => error,
            _ => worded(error).at_file(input.name()),
        })?;
        return Ok(Outcome::Fine);
    }
    let found =
        tables::at_or_default(&file, args.path.as_deref()).map_err(|error| error.at_file(input.name()))?;
    args.show(&file, found, &slices, &input, context, out)?;
    Ok(Outcome::Fine)
}

impl Args {
    /// Returns the format of the picture: that of the file's extension, or PNG for standard output.
    fn format(&self) -> Result<Format> {
        self.destination.path().map_or(Ok(Format::Png), Format::from_path)
    }

    fn show(
        &self,
        file: &File,
        found: (String, Dataset),
        slices: &[Slice],
        input: &Input,
        context: &Context,
        out: &mut dyn Write,
    ) -> Result<()> {
        let (path, dataset) = found;
        let located = |error: Error| match error.kind() {
            error::Kind::Io => error,
            _ => error.at_path(&path).at_file(input.name()),
        };
        let whole = match &dataset {
            Dataset::Array { array, .. } => array.shape().to_vec(),
            _ => Vec::new(),
        };
        match dataset.slice(slices).map_err(located)? {
            Dataset::Array { array, unit, .. } => {
                let (array, planes) = last_axes(array).map_err(located)?;
                let slice = match (&self.slice, planes) {
                    (Some(said), 0) => Some(said.clone()),
                    (Some(said), planes) => Some(format!("({said})[{}]", ["0"].repeat(planes).join(", "))),
                    (None, 0) => None,
                    (None, planes) => Some(["0"].repeat(planes).join(", ")),
                };
                let companion = |option, word: &Option<String>, axes: usize| {
                    let Some(word) = word else { return Ok(None) };
                    if array.shape().len() != axes {
                        return Err(located(wrong_axes(option, array.shape())));
                    }
                    let found = Companion::at(file, &path, option, word);
                    let part = found.and_then(|found| found.part(&whole, slices, array.shape()));
                    part.map(Some).map_err(|error| error.at_file(input.name()))
                };
                let x = companion("--x", &self.x, 1)?;
                let overlay = companion("--overlay", &self.overlay, 2)?;
                if let Some(flags) = &overlay {
                    let checked = Overlay::new(flags.array.clone(), self.bits).check();
                    checked.map_err(|error| worded(error).at_path(&flags.path).at_file(input.name()))?;
                }
                if self.colorbar && array.shape().len() != 2 {
                    return Err(located(wrong_axes("--colorbar", array.shape())));
                }
                let sky = match (self.sky.option(), array.shape()) {
                    (None, _) => None,
                    (_, &[height, width]) => {
                        let part = [height, width];
                        let shown = Shown { path: &path, file: &input.name(), whole: &whole, part, slices };
                        let sky = self.sky.of(file, &shown, context);
                        sky.map_err(|error| error.at_file(input.name()))?
                    }
                    (Some(option), shape) => return Err(located(wrong_axes(option, shape))),
                };
                let part = Part { path: path.clone(), slice, unit, x, overlay, sky, array };
                self.array(&part, context, out).map_err(|error| located(worded(error)))
            }
            Dataset::Table { columns, .. } if self.x.is_some() || self.overlay.is_some() => {
                let name = columns.as_slice().last().map(|column| line(&column.name)).unwrap_or_default();
                let error = Error::usage("found a table, expected an array for --x and --overlay");
                Err(located(error.with_hint(format!("name the array, as in --path {path}/{name}"))))
            }
            Dataset::Table { .. } if self.sky.option().is_some() => {
                let option = self.sky.option().unwrap_or_default();
                let error =
                    Error::usage(format!("found a table, expected an image with two axes for {option}"));
                Err(located(error.with_hint(format!("name an image with --path, or leave out {option}"))))
            }
            Dataset::Table { columns, .. } if !self.destination.is_given() => {
                let window = Window::of_terminal();
                let rows = window.rows.saturating_sub(5).max(3) as u64;
                table::print(&columns, &path, rows, &window, context.colours, out).map_err(located)
            }
            Dataset::Table { .. } => Err(located(
                Error::usage("found a table, expected an image or a line")
                    .with_hint("leave out --output to print the table as text"),
            )),
            Dataset::Fits(fits) => {
                let image = fits.hdus.iter().position(|hdu| hdu.image().is_some());
                let error = Error::usage("found a FITS file, expected one of its images or tables");
                Err(located(match image {
                    Some(number) => error.with_hint(format!("name its first image: {path}/{number}/data")),
                    None => error.with_hint("run `asdf info` to see its contents"),
                }))
            }
        }
    }

    fn array(&self, part: &Part, context: &Context, out: &mut dyn Write) -> Result<()> {
        let array = &part.array;
        let is_line = array.shape().len() == 1;
        let x = part.x.as_ref().map(|x| &x.array);
        let look = self.look.look();
        if self.destination.is_given() {
            let bounds = self.look.bounds(Bounds::Within(1024, 1024));
            let shown = match is_line {
                true => look.line(array, x, &part.labels(), bounds),
                false => look.image(array, &self.annotations(part), bounds),
            }?;
            let format = self.format()?;
            self.destination.write(context, out, |out| shown.picture.write(format, out))?;
            self.tell(&shown, part, out)
        } else if is_line {
            let window = Window::of_terminal();
            let curve = look.curve(array, x, window.columns * 2)?;
            part.title(out).map_err(output)?;
            plot::draw(&curve, &part.labels(), &window, out)
        } else {
            let graphics = self.graphics(std::io::stdout().is_terminal(), context.colours)?;
            let bounds = self.look.bounds(graphics.bounds(&Window::of_terminal()));
            let mut annotations = self.annotations(part);
            if graphics == Graphics::Text {
                // Letters drawn with characters cannot be read.
                annotations.grid = annotations.grid.into_iter().map(GridLine::without_label).collect();
            }
            let shown = look.image(array, &annotations, bounds)?;
            part.title(out).map_err(output)?;
            graphics.draw(&shown.picture, out)?;
            writeln!(out, "{}", self.scale(&shown, part)).map_err(output)
        }
    }

    /// Returns how to draw in the terminal.
    fn graphics(&self, is_terminal: bool, colours: Colours) -> Result<Graphics> {
        match self.graphics {
            Some(graphics) => Ok(graphics),
            None if is_terminal => Ok(match Graphics::of_terminal() {
                Graphics::Blocks if !colours.is_on() => Graphics::Text,
                graphics => graphics,
            }),
            None => Err(Error::usage("standard output is not a terminal, and --output is not given")
                .with_hint(
                    "pass -o FILE.png, -o - for standard output, or --graphics WAY to draw it anyway",
                )),
        }
    }

    fn annotations(&self, part: &Part) -> Annotations {
        let mut annotations = Annotations::default();
        annotations.labels = part.labels();
        annotations.axes = self.axes;
        annotations.colorbar = self.colorbar;
        let overlay = part.overlay.as_ref();
        annotations.overlay = overlay.map(|flags| Overlay::new(flags.array.clone(), self.bits));
        if let Some(sky) = &part.sky {
            annotations.grid.clone_from(&sky.lines);
            annotations.compass = sky.compass;
        }
        annotations
    }

    /// Describes the picture that was written, in a line or as JSON.
    fn tell(&self, shown: &Rendered, part: &Part, out: &mut dyn Write) -> Result<()> {
        let Some(file) = self.destination.path() else { return Ok(()) };
        let (width, height) = (shown.picture.width(), shown.picture.height());
        if !self.json {
            write!(out, "{}: {width} x {height} pixels of ", line(&file.display().to_string()))
                .map_err(output)?;
            part.title(out).map_err(output)?;
            return writeln!(out, "{}", self.scale(shown, part)).map_err(output);
        }
        let number = |number: Option<f64>| number.map(json::float);
        let report = json!({
            "asdf_preview": 1,
            "path": part.path,
            "datatype": json::datatype(part.array.datatype()),
            "shape": part.array.shape(),
            "slice": part.slice,
            "width": width,
            "height": height,
            "limits": shown.limits.to_string(),
            "low": number(shown.range.map(|range| range.0)),
            "high": number(shown.range.map(|range| range.1)),
            "stretch": self.look.stretch().name(),
            "unit": part.unit,
            "overlay": part.overlay.as_ref().map(|flags| &flags.path),
            "flagged": shown.flagged.map(|flagged| flagged.count),
            "wcs": part.sky.as_ref().map(|sky| &sky.path),
            "grid": part.sky.as_ref().map(|sky| &sky.json),
            "x": part.x.as_ref().map(|x| &x.path),
            "output": file.display().to_string(),
        });
        writeln!(out, "{}", Printable(&report)).map_err(output)
    }

    /// Returns a line such as `zscale: 1.5 to 20, linear`, and others about flagged elements and the grid.
    fn scale(&self, shown: &Rendered, part: &Part) -> String {
        let scale = match shown.range {
            Some((low, _)) if shown.is_constant => format!("all elements are {low}"),
            Some((low, high)) if low == high => {
                format!(
                    "{}: {low} to {high}; pass --limits minmax to show elements that differ",
                    shown.limits
                )
            }
            Some((low, high)) => format!("{}: {low} to {high}, {}", shown.limits, self.look.stretch()),
            None => "no element is a number".to_owned(),
        };
        let mut text = scale;
        if let Some((flags, flagged)) = part.overlay.as_ref().zip(shown.flagged) {
            let bits = self.bits.map(|bits| format!(", bits {bits}")).unwrap_or_default();
            let path = line(place::shown(&flags.path));
            text.push_str(&format!(
                "\n{path}: {} of {} elements are flagged{bits}",
                flagged.count, flagged.of
            ));
        }
        if let Some((sky, spacing)) = part.sky.as_ref().and_then(|sky| Some((sky, sky.spacing.as_ref()?))) {
            text.push_str(&format!("\n{}: {spacing}", line(place::shown(&sky.path))));
        }
        text
    }
}

impl Part {
    /// Writes a line such as `/data: float32 [4096, 4096] in Jy`.
    fn title(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let (datatype, shape) = (self.array.datatype(), self.array.shape());
        let part = self.slice.as_deref().map(|slice| line(&format!(" of [{slice}]"))).unwrap_or_default();
        let unit = self.unit.as_deref().map(|unit| format!(" in {}", line(unit))).unwrap_or_default();
        writeln!(out, "{}: {datatype} {shape:?}{part}{unit}", line(place::shown(&self.path)))
    }

    /// Returns the texts around the picture.
    fn labels(&self) -> Labels {
        let part = self.slice.as_deref().map(|slice| line(&format!("[{slice}]"))).unwrap_or_default();
        let mut labels = Labels::default();
        labels.title = format!("{}{part}", line(place::shown(&self.path)));
        labels.unit = self.unit.as_deref().map(line);
        labels.x = self.x.as_ref().map(Companion::label);
        labels
    }
}

/// Returns the error for an option that does not fit the number of axes.
fn wrong_axes(option: &str, shape: &[u64]) -> Error {
    if shape.len() == 1 {
        let message =
            format!("found an array of shape {shape:?}, expected an image with two axes for {option}");
        return Error::usage(message).with_hint(format!("name an image with --path, or leave out {option}"));
    }
    let message = format!("found an image of shape {shape:?}, expected an array with one axis for {option}");
    Error::usage(message).with_hint(format!("take one row, as in --slice 0, or leave out {option}"))
}

/// Returns an array with at most two axes, at index 0 of the axes before them, and the number of those.
fn last_axes(array: NdArray) -> Result<(NdArray, usize)> {
    let is_single = array.shape().is_empty();
    asdf_picture::last_axes(array).map_err(|error| match is_single {
        true => error.with_hint("run `asdf head` to print it"),
        false => error,
    })
}
