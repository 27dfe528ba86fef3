//! `Compass`: arrows to north and east in a corner of an image.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture: from 0 to its size"
)]

use crate::font::Font;
use crate::frame::Area;
use crate::grid::outlined;
use crate::picture::Picture;
use crate::placement::Placement;
use crate::signs::{GRID, TEXT};
use crate::stroke::{Point, dot, polyline};

/// The directions of two arrows with the letters N and E.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compass {
    north: [f64; 2],
    east: [f64; 2],
}

impl Compass {
    /// Creates a compass from the directions to north and east.
    ///
    /// A direction is `x, y` in elements: `x` counts along the columns of the array and `y` along its rows. Its length has
    /// no effect.
    #[must_use]
    pub fn new(north: [f64; 2], east: [f64; 2]) -> Self {
        Self { north, east }
    }
}

/// The space around a compass, in pixels.
const MARGIN: f64 = 4.0;

/// The angle between an arrow and each line of its head, in degrees.
const HEAD: f64 = 25.0;

/// An arrow from the origin.
struct Arrow {
    tip: Point,
    /// The ends of the lines of its head.
    head: [Point; 2],
    letter: &'static str,
    /// The upper left corner of the letter.
    text: Point,
}

impl Arrow {
    fn new([x, y]: [f64; 2], length: f64, letter: &'static str, font: Font) -> Self {
        let (width, height) = (font.width(letter) as f64, font.height() as f64);
        let head = [HEAD, -HEAD].map(|angle| {
            let (sin, cos) = angle.to_radians().sin_cos();
            let (back, size) = ([x * cos - y * sin, x * sin + y * cos], 0.25 * length);
            [x * length - back[0] * size, y * length - back[1] * size]
        });
        // The letter is beyond the tip.
        let beyond = length + 0.7 * height;
        let text = [x * beyond - width / 2.0, y * beyond - height / 2.0];
        Self { tip: [x * length, y * length], head, letter, text }
    }
}

/// Draws a compass in the upper right corner. Returns its area, or `None` if the picture is too small.
pub(crate) fn draw(compass: Compass, picture: &mut Picture, placement: &Placement) -> Option<Area> {
    let font = Font::for_width(picture.width);
    let length = (picture.width.min(picture.height) as f64 / 10.0).clamp(10.0, 80.0);
    let arrow = |direction, letter| {
        placement.direction(direction).map(|direction| Arrow::new(direction, length, letter, font))
    };
    let arrows = [arrow(compass.north, "N")?, arrow(compass.east, "E")?];
    let size = [font.width("N") as f64, font.height() as f64];
    let mut points: Vec<Point> = vec![[0.0, 0.0]];
    for Arrow { tip, head, text, .. } in &arrows {
        points.extend([*tip, *text, [text[0] + size[0], text[1] + size[1]]]);
        points.extend(head);
    }
    let range = |axis: fn(&Point) -> f64| {
        let all = points.iter().map(axis);
        all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    };
    let ((left, right), (top, bottom)) = (range(|[x, _]| *x), range(|[_, y]| *y));
    let (width, height) = (right - left, bottom - top);
    if width + 2.0 * MARGIN > picture.width as f64 || height + 2.0 * MARGIN > picture.height as f64 {
        return None;
    }
    let origin = [picture.width as f64 - MARGIN - right, MARGIN - top];
    let moved = |[x, y]: Point| [origin[0] + x, origin[1] + y];
    let lines: Vec<[Point; 2]> = arrows
        .iter()
        .flat_map(|arrow| [[[0.0; 2], arrow.tip], [arrow.tip, arrow.head[0]], [arrow.tip, arrow.head[1]]])
        .map(|line| line.map(moved))
        .collect();
    for [from, to] in &lines {
        outline(picture, *from, *to);
    }
    for line in &lines {
        polyline(picture, line, GRID);
    }
    for arrow in &arrows {
        let [x, y] = moved(arrow.text);
        outlined(font, picture, arrow.letter, (x.round() as usize, y.round() as usize));
    }
    let [x, y] = [picture.width as f64 - MARGIN - width, MARGIN].map(|at| at.floor() as usize);
    Some(Area { x, y, width: width.ceil() as usize, height: height.ceil() as usize })
}

/// Draws a dark line that is three pixels wide.
fn outline(picture: &mut Picture, from: Point, to: Point) {
    for down in [-1.0, 0.0, 1.0] {
        for along in [-1.0, 0.0, 1.0] {
            let moved = |[x, y]: Point| [x + along, y + down];
            polyline(picture, &[moved(from), moved(to)], TEXT);
            dot(picture, moved(to), TEXT);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(compass: Compass, (width, height): (usize, usize), is_up: bool) -> (Picture, Option<Area>) {
        let mut picture = Picture::new(width, height, vec![0; width * height], Vec::new()).unwrap();
        let placement = Placement::new((width as u64, height as u64), &picture, is_up);
        let area = draw(compass, &mut picture, &placement);
        (picture, area)
    }

    #[test]
    fn arrows_point_in_their_directions() {
        // North is up and east is to the left, whatever end has the first row.
        for (north, is_up) in [([0.0, 1.0], true), ([0.0, -1.0], false)] {
            let (picture, area) = drawn(Compass::new(north, [-1.0, 0.0]), (200, 200), is_up);
            let area = area.unwrap();
            assert!(area.x > 100 && area.x + area.width < 200 && area.y + area.height < 100);
            let is_set = |x: usize, y: usize| picture.pixels[y * 200 + x] == GRID;
            let count = |x: usize| (0..200).filter(|&y| is_set(x, y)).count();
            let column = (0..200).max_by_key(|&x| count(x)).unwrap();
            let row = (0..200).max_by_key(|&y| (0..200).filter(|&x| is_set(x, y)).count()).unwrap();
            assert!(is_set(column, row - 10) && !is_set(column, row + 10));
            assert!(is_set(column - 10, row) && !is_set(column + 10, row));
        }
    }

    #[test]
    fn a_compass_needs_room_and_directions() {
        assert!(drawn(Compass::new([0.0, 1.0], [-1.0, 0.0]), (12, 12), true).1.is_none());
        assert!(drawn(Compass::new([0.0, 0.0], [-1.0, 0.0]), (200, 200), true).1.is_none());
    }
}
