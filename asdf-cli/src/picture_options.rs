//! The options of commands that draw an array.

use std::str::FromStr;

use asdf_core::Error;
use asdf_picture::{Bounds, Colormap, Limits, Look, Origin, Problem, Stretch};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Options that map numbers to colours.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Looks")]
pub(crate) struct LookArgs {
    /// Set the display range (vmin, vmax)
    ///
    /// LIMITS is zscale (as in astropy), minmax, a central share of the elements as in 99.5%, two percentiles as in
    /// 1%,99%, or two numbers as in 0,1000. The default is zscale, 1%,99.9% if there is a stretch, and minmax for a
    /// line.
    #[arg(long, value_name = "LIMITS", allow_hyphen_values = true)]
    limits: Option<Limits>,

    /// Set the curve from numbers to brightness
    #[arg(long, value_parser = stretches(), default_value_t)]
    stretch: Stretch,

    /// Set the colours from the lowest number to the highest
    #[arg(long, value_parser = colormaps(), default_value_t, value_name = "COLOURS")]
    colormap: Colormap,

    /// Reverse the colormap
    #[arg(long)]
    invert: bool,

    /// Set the colour of missing, NaN and infinite elements
    ///
    /// none makes them transparent (PNG only).
    #[arg(long, value_name = "RRGGBB|none")]
    bad: Option<Bad>,

    /// Put the first row at the bottom or the top
    #[arg(long, value_enum, default_value_t)]
    origin: First,

    /// Fit the picture into N or WxH pixels; full: one pixel per element
    ///
    /// A larger image is shrunk to the mean of its elements. The elements of a smaller one are drawn as squares.
    #[arg(long, value_name = "N|WxH|full")]
    size: Option<Bounds>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum First {
    /// As in FITS viewers
    #[default]
    Bottom,
    Top,
}

/// The colour of elements without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bad(Option<[u8; 3]>);

impl FromStr for Bad {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let digits = text.strip_prefix('#').unwrap_or(text);
        let number =
            Some(digits).filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let [_, red, green, blue] =
            number.ok_or("expected red, green and blue as in ff8000, or none")?.to_be_bytes();
        Ok(Self(Some([red, green, blue])))
    }
}

impl LookArgs {
    /// Returns the bounds of --size, or `otherwise`.
    pub(crate) fn bounds(&self, otherwise: Bounds) -> Bounds {
        self.size.unwrap_or(otherwise)
    }

    pub(crate) fn stretch(&self) -> Stretch {
        self.stretch
    }

    pub(crate) fn look(&self) -> Look {
        let origin = match self.origin {
            First::Bottom => Origin::Bottom,
            First::Top => Origin::Top,
        };
        let look =
            Look::new().stretch(self.stretch).colormap(self.colormap).inverted(self.invert).origin(origin);
        let look = self.limits.map_or(look, |limits| look.limits(limits));
        self.bad.map_or(look, |bad| look.bad(bad.0))
    }
}

/// Words the error for a [`Problem`] for the command line, and returns other errors unchanged. The caller adds the
/// file and path.
pub(crate) fn worded(error: Error) -> Error {
    const INDICES: &str = "leave out --x to show the indices of the elements on the axis";
    let (message, hint) = match Problem::from_error(&error) {
        Some(Problem::TooManyPixels { .. }) => (None, "pass a smaller --size, or take a part with --slice"),
        Some(Problem::NoRoom { .. }) => (None, "pass a larger --size, or leave out --axes and --colorbar"),
        Some(Problem::OpaqueJpeg) => (None, "pass a colour to --bad, or write PNG"),
        Some(Problem::OpaqueRgb) => {
            (Some("--rgb does not support transparent pixels".to_owned()), "pass a colour to --bad")
        }
        Some(Problem::TooLargeForJpeg(_)) => (None, "pass a smaller --size, or write PNG"),
        Some(Problem::NotFlags(_)) => (None, "pass a data-quality array to --overlay"),
        Some(Problem::NoSuchBit { bit, bits, datatype }) => {
            let message = format!(
                "found bit {bit} in --bits, but {datatype} has the bits 0 to {}",
                bits.saturating_sub(1)
            );
            (Some(message), "pass the numbers of the bits, counted from 0, not their values")
        }
        Some(Problem::AxisNotNumbers(datatype)) => {
            (Some(format!("found {datatype} in the array of --x, expected numbers")), INDICES)
        }
        Some(Problem::AxisNotFinite) => (Some("the array of --x has no finite number".to_owned()), INDICES),
        _ => return error,
    };
    let error = match message {
        Some(message) => error.with_message(message),
        None => error,
    };
    error.replace_hint(hint)
}

fn stretches() -> impl TypedValueParser<Value = Stretch> {
    let formula = |stretch| match stretch {
        Stretch::Asinh => Some("asinh(10 x) / asinh(10)"),
        Stretch::Log => Some("log(1000 x + 1) / log(1001)"),
        Stretch::Sqrt => Some("Square root"),
        _ => None,
    };
    named(Stretch::ALL, Stretch::name, formula)
}

fn colormaps() -> impl TypedValueParser<Value = Colormap> {
    let colours = |map| match map {
        Colormap::Cubehelix => Some("Green's spiral through the colour cube, with evenly rising brightness"),
        Colormap::Heat => Some("Black, red, yellow, white"),
        _ => None,
    };
    named(Colormap::ALL, Colormap::name, colours)
}

/// Returns a parser of named values, which the help lists.
fn named<T>(
    all: &[T],
    name: fn(T) -> &'static str,
    help: impl Fn(T) -> Option<&'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = Error> + Copy + Send + Sync + 'static,
{
    let values: Vec<PossibleValue> = all
        .iter()
        .map(|value| match help(*value) {
            Some(help) => PossibleValue::new(name(*value)).help(help),
            None => PossibleValue::new(name(*value)),
        })
        .collect();
    PossibleValuesParser::new(values).try_map(|text| text.parse::<T>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_picture::{Format, Picture};

    #[test]
    fn a_reworded_error_is_still_the_same_problem() {
        let picture = Picture::new(1, 1, vec![0], vec![[0; 3]]).unwrap().with_transparency(true);
        let error = worded(picture.write(Format::Jpeg, &mut Vec::new()).unwrap_err().at_path("/data"));
        assert_eq!(Problem::from_error(&error), Some(&Problem::OpaqueJpeg));
        assert_eq!((error.path(), error.kind()), (Some("/data"), asdf_core::error::Kind::Usage));
        assert_eq!(error.hint().unwrap().to_string(), "pass a colour to --bad, or write PNG");
    }
}
