//! The image on the sky: corners, outlines, and what is inside.

use asdf_core::{Error, Result};
use asdf_units::Unit;

use super::{Inverse, Wcs};
use crate::outline::Outline;
use crate::transform::Transform;

/// The most axes of a footprint, which has two points for each combination of the others.
const MAX_AXES: usize = 16;

/// The most points of an outline.
const MAX_POINTS: usize = 1 << 20;

/// What leads to positions on the sky.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sky {
    /// The positions of longitude and latitude among the world axes, and the factors to degrees.
    pub(super) axes: [usize; 2],
    pub(super) factors: [f64; 2],
}

impl Sky {
    /// Returns longitude and latitude of world coordinates, in degrees.
    pub(super) fn position(&self, world: &[f64]) -> [f64; 2] {
        let value = |axis: usize| world.get(axis).copied().unwrap_or(f64::NAN);
        [value(self.axes[0]) * self.factors[0], value(self.axes[1]) * self.factors[1]]
    }
}

impl Wcs {
    /// Returns the interval of each pixel axis: the bounding box, or else the whole array of `pixel_shape`.
    ///
    /// Pixels reach half a pixel beyond their centres: the box of an array of `n` pixels is from -0.5 to `n - 0.5`.
    pub(super) fn limits(&self) -> Result<Vec<[f64; 2]>> {
        let missing = |what: &str| Error::mismatch(format!("the wcs has no {what}")).at_path(&self.path);
        let count = self.whole()?.models.first().map_or(0, |model| model.kind.inputs());
        let of_shape = |axis: usize| {
            let size = *self.pixel_shape.as_ref()?.get(axis)?;
            #[expect(
                clippy::cast_precision_loss,
                reason = "arrays have fewer than 2^53 pixels along an axis"
            )]
            Some([-0.5, size as f64 - 0.5])
        };
        let intervals = self.bounding_box().unwrap_or_default();
        (0..count)
            .map(|axis| {
                let interval = intervals.get(axis).copied().flatten().or_else(|| of_shape(axis));
                interval.ok_or_else(|| missing("bounding box and no pixel shape"))
            })
            .collect()
    }

    /// Returns the world coordinates of the corners of the bounding box, or of the array if there is no box.
    ///
    /// An image has four corners, clockwise from the bottom left: (x0, y0), (x0, y1), (x1, y1), (x1, y0). If an axis is
    /// not spatial, these are all combinations of the ends of the intervals, where the last axis changes fastest. This
    /// is the order of gwcs. A point has the coordinates of all [`world_axes`](Self::world_axes).
    ///
    /// # Errors
    /// Like [`forward`](Self::forward), and if there is neither a box nor a `pixel_shape`.
    pub fn footprint(&self) -> Result<Vec<Vec<f64>>> {
        let intervals = self.limits()?;
        let axes = self.world_axes();
        let all_spatial = axes.iter().all(|axis| axis.is_spatial()) && axes.len() != 1;
        let pixels: Vec<Vec<f64>> = match intervals.as_slice() {
            [[x0, x1], [y0, y1]] if all_spatial => {
                vec![vec![*x0, *y0], vec![*x0, *y1], vec![*x1, *y1], vec![*x1, *y0]]
            }
            _ if intervals.len() > MAX_AXES => {
                let message = format!(
                    "found {} pixel axes, expected at most {MAX_AXES} for a footprint",
                    intervals.len()
                );
                return Err(Error::limit(message).at_path(&self.path));
            }
            _ => intervals.iter().fold(vec![Vec::new()], |points, ends| {
                let with =
                    |point: &Vec<f64>, end: f64| point.iter().copied().chain([end]).collect::<Vec<f64>>();
                points.iter().flat_map(|point| ends.map(|end| with(point, end))).collect()
            }),
        };
        self.unbounded(&pixels)
    }

    /// Returns the world coordinates of pixels without the bounding box.
    pub(super) fn unbounded(&self, pixels: &[Vec<f64>]) -> Result<Vec<Vec<f64>>> {
        let transform = self.unbounded_transform()?;
        pixels.iter().map(|pixel| transform.values(pixel)).collect()
    }

    /// Returns the compiled transform from pixels to world coordinates, without the bounding box.
    pub(super) fn unbounded_transform(&self) -> Result<&Transform> {
        if let Some(known) = self.unbounded.get() {
            return Ok(known);
        }
        let compiled = self.compile_forward(false)?;
        Ok(self.unbounded.get_or_init(|| compiled))
    }

    /// Returns which world axes are longitude and latitude.
    pub(super) fn sky(&self) -> Result<Sky> {
        let frame = self.world_frame()?;
        let Some(axes) = frame.sky_axes() else {
            let message = format!("the frame '{}' has no position on the sky", frame.name());
            return Err(Error::mismatch(message).at_path(&self.path));
        };
        let degree = Unit::parse("deg").map_err(|error| Error::unsupported(error.message()))?;
        let factor = |axis: usize| match frame.axes().get(axis) {
            Some(axis) => axis.unit().factor_to(&degree).map_err(|error| {
                let message =
                    format!("the axis '{}' has the unit '{}', expected an angle", axis.name(), axis.unit());
                Error::mismatch(message).with_source(error).at_path(&self.path)
            }),
            None => Err(self.empty()),
        };
        Ok(Sky { axes, factors: [factor(axes[0])?, factor(axes[1])?] })
    }

    /// Returns the outline of the image on the sky: `per_edge` points along each edge, clockwise from the bottom left.
    ///
    /// With one point for each edge these are the four corners, as in
    /// [`footprint_outline`](Self::footprint_outline). In a cube, the two pixel axes count that change the position; the
    /// others are at the middle of their intervals.
    ///
    /// # Errors
    /// Like [`footprint`](Self::footprint); if the world frame has no position on the sky, or if not exactly two pixel
    /// axes change it; if `per_edge` is 0 or more than 262,144.
    pub fn outline(&self, per_edge: usize) -> Result<Outline> {
        if per_edge == 0 || per_edge > MAX_POINTS / 4 {
            let message = format!("found {per_edge} points per edge, expected 1 to {}", MAX_POINTS / 4);
            return Err(Error::usage(message));
        }
        let sky = self.sky()?;
        let intervals = self.limits()?;
        let [x_axis, y_axis] = self.sky_pixel_axes()?;
        let (Some([x0, x1]), Some([y0, y1])) = (intervals.get(x_axis), intervals.get(y_axis)) else {
            return Err(self.empty());
        };
        let corners = [[*x0, *y0], [*x0, *y1], [*x1, *y1], [*x1, *y0]];
        let middle: Vec<f64> = intervals.iter().map(|[low, high]| 0.5 * (low + high)).collect();
        let following = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(following).flat_map(|(start, end)| {
            (0..per_edge).map(move |step| {
                #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
                let part = step as f64 / per_edge as f64;
                [0, 1].map(|axis| {
                    let (from, to) = if axis == 0 { (start[0], end[0]) } else { (start[1], end[1]) };
                    from + part * (to - from)
                })
            })
        });
        let pixels: Vec<Vec<f64>> = edges
            .map(|[x, y]| {
                let at = |(axis, middle): (usize, &f64)| match axis {
                    axis if axis == x_axis => x,
                    axis if axis == y_axis => y,
                    _ => *middle,
                };
                middle.iter().enumerate().map(at).collect()
            })
            .collect();
        let vertices = self.unbounded(&pixels)?.iter().map(|world| sky.position(world)).collect();
        let name = self.world_frame()?.sky_reference().map(|frame| frame.name()).unwrap_or_default();
        Ok(Outline::new(name, vertices))
    }

    /// Returns the outline with only the four corners: what archives store as `s_region`.
    ///
    /// # Errors
    /// Like [`outline`](Self::outline).
    pub fn footprint_outline(&self) -> Result<Outline> {
        self.outline(1)
    }

    /// Returns whether a position on the sky, in degrees, is in the image.
    ///
    /// The position is in the reference frame of the world coordinates. Uses [`Inverse::Exact`], so that pixels near the
    /// edges belong to the image as the bounding box says.
    ///
    /// # Errors
    /// Like [`inverse`](Self::inverse), and if the world axes are not exactly longitude and latitude.
    #[doc(alias = "in_image")]
    pub fn contains(&self, longitude: f64, latitude: f64) -> Result<bool> {
        let sky = self.sky()?;
        let count = self.world_axes().len();
        if count != 2 {
            let message = format!("the wcs has {count} world axes, expected longitude and latitude");
            return Err(Error::mismatch(message).at_path(&self.path));
        }
        let mut world = [0.0; 2];
        for (axis, value) in sky.axes.iter().zip([longitude / sky.factors[0], latitude / sky.factors[1]]) {
            if let Some(slot) = world.get_mut(*axis) {
                *slot = value;
            }
        }
        Ok(self.world_to_pixel(&world, Inverse::Exact)?.iter().all(|value| value.is_finite()))
    }
}
