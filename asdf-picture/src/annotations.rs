//! Annotations over and around an image: flags, lines, a compass, axes and a colour bar.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture and levels of brightness"
)]

use asdf_core::Result;

use crate::bounds::Bounds;
use crate::compass::{self, Compass};
use crate::font::Font;
use crate::frame::{Area, Frame, Labels, Margins, Mark};
use crate::grid::{self, GridLine};
use crate::overlay::Overlay;
use crate::picture::Picture;
use crate::placement::Placement;
use crate::problem::Problem;
use crate::signs::{GRID, TOP};
use crate::stretch::{Stretch, place};
use crate::ticks::{ticks, whole_ticks};

/// The annotations over and around an image; none by default.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Annotations {
    /// The texts of the axes and of the colour bar.
    pub labels: Labels,
    /// Whether to draw axes with ticks, and the title. The ticks are indices of elements.
    pub axes: bool,
    /// Whether to draw a colour bar with numbers and the unit beside the image.
    pub colorbar: bool,
    /// The flags whose pixels are marked.
    pub overlay: Option<Overlay>,
    /// The lines over the image, with labels.
    pub grid: Vec<GridLine>,
    /// The arrows to north and east, in the upper right corner. It is left out of a picture that is too small.
    pub compass: Option<Compass>,
}

/// The smallest side of an image within its axes, in pixels.
const MIN_SIDE: usize = 16;

/// The marks on the axes of an image, and the space that they take.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    annotations: &'a Annotations,
    /// Width and height of the image, in elements.
    shape: (u64, u64),
    /// The positions and numbers of the colour bar; empty without one.
    bar: Vec<Mark>,
    width: usize,
    margins: Margins,
}

impl Annotations {
    /// Returns whether anything is drawn around the image.
    pub(crate) fn is_around(&self) -> bool {
        self.axes || self.colorbar
    }

    /// Returns whether lines or a compass are drawn over the image.
    fn has_grid(&self) -> bool {
        !self.grid.is_empty() || self.compass.is_some()
    }

    /// Returns the last level of brightness. The palette levels after it are for everything else.
    pub(crate) fn top(&self) -> u8 {
        match (self.has_grid(), self.is_around() || self.overlay.is_some()) {
            (true, _) => GRID - 1,
            (false, true) => TOP,
            (false, false) => Picture::NO_VALUE - 1,
        }
    }

    /// Draws lines and the compass over a picture of an image with this width and height.
    pub(crate) fn draw_over(&self, mut picture: Picture, shape: (u64, u64), is_up: bool) -> Picture {
        if !self.has_grid() {
            return picture;
        }
        let placement = Placement::new(shape, &picture, is_up);
        let mut taken = Vec::new();
        let arrows = |picture: &mut Picture| {
            self.compass.and_then(|compass| compass::draw(compass, picture, &placement))
        };
        taken.extend(arrows(&mut picture));
        grid::draw(&self.grid, &mut picture, &placement, &mut taken);
        // Lines must not hide the compass.
        arrows(&mut picture);
        picture.with_grid(true)
    }

    /// Returns the surroundings of an image with this width and height, whose colours cover this range.
    pub(crate) fn around(
        &self,
        shape: (u64, u64),
        bounds: Bounds,
        range: Option<(f64, f64)>,
        stretch: Stretch,
    ) -> Surroundings<'_> {
        let (width, height) = match bounds {
            Bounds::Full => (side(shape.0), side(shape.1)),
            Bounds::Within(width, height) => (width, height),
        };
        let bar = match range.filter(|_| self.colorbar) {
            Some(range) => {
                let numbers = ticks(range, (height / (3 * Font::for_width(width).height())).clamp(1, 10));
                let at = |number| stretch.apply(place(number, range));
                numbers.into_iter().map(|tick| (at(tick.number), tick.label)).collect()
            }
            None => Vec::new(),
        };
        let frame = self.frame(width);
        let digits = shape.1.saturating_sub(1).to_string().len();
        let mut margins = if self.axes { frame.margins(digits) } else { Margins::default() };
        if !bar.is_empty() {
            let own = frame.bar_margins(&bar, self.labels.unit.as_deref());
            margins = Margins {
                right: own.right,
                top: margins.top.max(own.top),
                bottom: margins.bottom.max(own.bottom),
                ..margins
            };
        }
        Surroundings { annotations: self, shape, bar, width, margins }
    }

    fn frame(&self, width: usize) -> Frame<'_> {
        // The unit is above the colour bar, not above the vertical axis.
        Frame::new(&self.labels, None, width)
    }
}

impl Surroundings<'_> {
    /// Returns the space that is left for the image.
    pub(crate) fn inside(&self, bounds: Bounds) -> Result<Bounds> {
        let Bounds::Within(width, height) = bounds else { return Ok(bounds) };
        if !self.annotations.is_around() {
            return Ok(bounds);
        }
        let Margins { left, right, top, bottom } = self.margins;
        let inside = (width.checked_sub(left + right), height.checked_sub(top + bottom));
        match inside {
            (Some(width @ MIN_SIDE..), Some(height @ MIN_SIDE..)) => Ok(Bounds::Within(width, height)),
            _ => {
                let min = (left + right + MIN_SIDE, top + bottom + MIN_SIDE);
                Err(Problem::NoRoom { found: (width, height), min }.error())
            }
        }
    }

    /// Returns the image with its surroundings. `is_up` says whether its first row is at the bottom.
    pub(crate) fn drawn(&self, image: &Picture, is_up: bool) -> Picture {
        let Margins { left, right, top, bottom } = self.margins;
        let (width, height) = (left + image.width + right, top + image.height + bottom);
        let mut sheet = Picture::sheet(width, height, image.palette.clone(), image.is_transparent);
        sheet.has_marks = image.has_marks;
        sheet.has_grid = image.has_grid;
        sheet.paste(image, (left, top));
        let area = Area { x: left, y: top, width: image.width, height: image.height };
        let frame = self.annotations.frame(self.width);
        if self.annotations.axes {
            let x = indices(self.shape.0, frame.max_ticks(image.width, self.shape.0.to_string().len()));
            let y = indices(self.shape.1, frame.max_ticks(image.height, 2));
            let y: Vec<Mark> = match is_up {
                true => y,
                false => y.into_iter().map(|(place, label)| (1.0 - place, label)).collect(),
            };
            frame.draw(&mut sheet, area, &x, &y);
        }
        if !self.bar.is_empty() {
            let top = self.annotations.top();
            frame.draw_bar(&mut sheet, area, &self.bar, self.annotations.labels.unit.as_deref(), top);
        }
        sheet
    }
}

/// Returns the ticks of an axis of `count` elements. Number 0 is at the middle of the first element.
fn indices(count: u64, most: usize) -> Vec<Mark> {
    let count = count as f64;
    let ticks = whole_ticks((-0.5, count - 0.5), most).into_iter();
    ticks.map(|tick| ((tick.number + 0.5) / count, tick.label)).collect()
}

fn side(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}
