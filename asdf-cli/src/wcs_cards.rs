//! World coordinates as keywords of FITS files.

use std::ops::Range;

use asdf_core::array::Slice;
use asdf_core::{Error, File};
use asdf_fits::Card;
use asdf_gwcs::Wcs;
use asdf_tables::WriteOptions;

use crate::warning::Warnings;

/// Options for the world coordinates of FITS files.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WcsCards {
    /// Leave out world coordinates in FITS files
    #[arg(long)]
    no_wcs: bool,

    /// Fit world coordinates in FITS files to N pixels
    ///
    /// The keywords are a gnomonic projection with a SIP distortion, of the lowest degree that is good enough. If degree 9
    /// is not, a warning says how large the error is.
    #[arg(long, value_name = "N", default_value_t = 0.01, value_parser = positive)]
    wcs_error: f64,
}

fn positive(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "expected a positive number of pixels".to_owned())
}

impl WcsCards {
    /// Returns how to make the cards; `None` to leave them out.
    pub(crate) fn options(&self) -> Option<asdf_tables::wcs::WcsCards> {
        (!self.no_wcs).then(|| asdf_tables::wcs::WcsCards::new().max_error(self.wcs_error))
    }

    /// Returns the cards of a wcs for an image with this width and height, or for a part of it that begins at `start`.
    ///
    /// A wcs that has no keywords in FITS is left out with a warning.
    fn cards(
        &self,
        wcs: &Wcs,
        [width, height]: [u64; 2],
        start: [f64; 2],
        warnings: &Warnings,
        file: &str,
    ) -> Vec<Card> {
        let Some(cards) = self.options() else { return Vec::new() };
        cards.cards(wcs, [width, height], start, |warning| warnings.tell(warning.at_file(file)))
    }

    /// Adds the cards for the image at a path, of which `slices` are exported.
    ///
    /// The image needs a wcs of its own, and the two must have the same shape. Slices that are not plain ranges of pixels have
    /// no cards.
    pub(crate) fn add_to(
        &self,
        options: WriteOptions,
        file: &File,
        path: &str,
        shape: &[u64],
        slices: &[Slice],
        warnings: &Warnings,
    ) -> WriteOptions {
        let name = file.path().map(|path| path.display().to_string()).unwrap_or_default();
        let found = || {
            let &[height, width] = shape.last_chunk()?;
            let [rows, columns] = ranges(shape, slices)?;
            let wcs = self.wcs_of(file, path, warnings, &name)?;
            is_of(&wcs, [width, height]).then_some(())?;
            let start = [columns.start, rows.start].map(|start| {
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "images have fewer than 2^53 pixels along an axis"
                )]
                let start = start as f64;
                start
            });
            let cards = self.cards(&wcs, [width, height], start, warnings, &name);
            Some(([rows.end.saturating_sub(rows.start), columns.end.saturating_sub(columns.start)], cards))
        };
        match found() {
            Some((shape, cards)) => options.image_cards(shape, cards),
            None => options,
        }
    }

    /// Returns the wcs of an image of the tree, if there is exactly one: the only one of the file, or the one in the same
    /// mapping or in its `meta`.
    fn wcs_of(&self, file: &File, path: &str, warnings: &Warnings, name: &str) -> Option<Wcs> {
        if self.no_wcs {
            return None;
        }
        let path = Wcs::path_for(file, path)?;
        Wcs::open(file, &path)
            .map_err(|error| warnings.tell(Error::and(left_out(), error).at_file(name)))
            .ok()
    }
}

/// Returns the ranges of the last two axes that slices select.
fn ranges(shape: &[u64], slices: &[Slice]) -> Option<[Range<u64>; 2]> {
    let is_ellipsis = |slice: &Slice| *slice == Slice::Ellipsis;
    let mut all: Vec<Slice> = Vec::with_capacity(shape.len());
    let given = slices.iter().filter(|slice| !is_ellipsis(slice)).count();
    let rest = shape.len().checked_sub(given)?;
    let place = slices.iter().position(is_ellipsis).unwrap_or(slices.len());
    all.extend(slices.iter().take(place));
    all.extend(std::iter::repeat_n(Slice::ALL, rest));
    all.extend(slices.iter().skip(place + 1));
    let range = |slice: &Slice, size: u64| match *slice {
        Slice::Range { start, end, step: 1 } => {
            let bound = |bound: i64| match bound < 0 {
                true => size.saturating_sub(bound.unsigned_abs()),
                false => bound.unsigned_abs().min(size),
            };
            let (start, end) = (start.map_or(0, bound), end.map_or(size, bound));
            Some(start..end.max(start))
        }
        _ => None,
    };
    let (rows, columns) = (all.len().checked_sub(2)?, all.len() - 1);
    Some([range(all.get(rows)?, *shape.get(rows)?)?, range(all.get(columns)?, *shape.get(columns)?)?])
}

/// Returns whether a wcs is that of an image with this width and height: by its `pixel_shape`, or else its bounding box.
fn is_of(wcs: &Wcs, image: [u64; 2]) -> bool {
    if let Some(shape) = wcs.pixel_shape() {
        return shape.starts_with(&image);
    }
    let intervals = wcs.bounding_box().unwrap_or_default().iter();
    intervals.zip(image).all(|(interval, size)| {
        #[expect(clippy::cast_precision_loss, reason = "images have fewer than 2^53 pixels along an axis")]
        let size = size as f64;
        interval.is_none_or(|[low, high]| low >= -1.0 && high <= size && high > 0.5 * size)
    })
}

fn left_out() -> Error {
    Error::unsupported("the world coordinates are left out of the FITS file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_slices_are_ranges_of_the_last_axes() {
        let ranges = |text: &str| ranges(&[3, 10, 20], &Slice::parse(text).unwrap());
        assert_eq!(ranges(""), Some([0..10, 0..20]));
        assert_eq!(ranges("1"), Some([0..10, 0..20]));
        assert_eq!(ranges("..., 2:30"), Some([0..10, 2..20]));
        assert_eq!(ranges("0, -4:, :-5"), Some([6..10, 0..15]));
        assert_eq!(ranges("..., 5:2, :"), Some([5..5, 0..20]));
        for other in ["..., ::2", "..., 3", ":, 3, :", "..., ::-1, :", "0, 0, 0, 0"] {
            assert_eq!(ranges(other), None, "{other}");
        }
    }
}
