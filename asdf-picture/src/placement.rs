//! The position of elements in a picture.

#![allow(clippy::cast_precision_loss, reason = "sides are far below 2^53 elements")]

use crate::picture::Picture;
use crate::stroke::Point;

/// The position of the elements of an array in a picture of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement {
    /// The pixels for each element.
    scale: [f64; 2],
    /// The height of the picture if its last row is the first one of the array.
    from_bottom: Option<f64>,
}

impl Placement {
    /// Returns the placement of an array with this width and height that fills a picture.
    pub(crate) fn new((width, height): (u64, u64), picture: &Picture, is_up: bool) -> Self {
        let size = [picture.width as f64, picture.height as f64];
        let scale = [size[0] / width.max(1) as f64, size[1] / height.max(1) as f64];
        Self { scale, from_bottom: is_up.then_some(size[1]) }
    }

    /// Returns the position of an element. Whole numbers are the centres of elements.
    pub(crate) fn point(&self, [x, y]: [f64; 2]) -> Point {
        let [x, y] = [(x + 0.5) * self.scale[0], (y + 0.5) * self.scale[1]];
        [x, self.from_bottom.map_or(y, |height| height - y)]
    }

    /// Returns a direction as a vector of length 1; `None` without a direction.
    pub(crate) fn direction(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let [x, y] = [x * self.scale[0], y * self.scale[1]];
        let length = x.hypot(y);
        let y = if self.from_bottom.is_some() { -y } else { y };
        (length > 0.0 && length.is_finite()).then(|| [x / length, y / length])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_at_either_end() {
        let picture = Picture::new(4, 6, vec![0; 24], Vec::new()).unwrap();
        let up = Placement::new((2, 3), &picture, true);
        assert_eq!((up.point([0.0, 0.0]), up.point([-0.5, 2.5])), ([1.0, 5.0], [0.0, 0.0]));
        assert_eq!(up.direction([0.0, 3.0]), Some([0.0, -1.0]));
        let down = Placement::new((2, 3), &picture, false);
        assert_eq!((down.point([0.0, 0.0]), down.direction([0.0, 3.0])), ([1.0, 1.0], Some([0.0, 1.0])));
        assert_eq!(down.direction([0.0, 0.0]), None);
    }
}
