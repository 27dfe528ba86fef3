//! `GridLine`: lines with labels over an image.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture: from 0 to its size"
)]

use crate::font::Font;
use crate::frame::Area;
use crate::picture::Picture;
use crate::placement::Placement;
use crate::signs::{GRID, TEXT};
use crate::stroke::{Point, clipped, polyline};

/// A line over an image, such as one of a coordinate grid.
#[derive(Debug, Clone, PartialEq)]
pub struct GridLine {
    parts: Vec<Vec<[f64; 2]>>,
    label: Option<String>,
}

impl GridLine {
    /// Creates a line of one or more polylines, with a label.
    ///
    /// A point is `x, y` in elements: `x` counts along the columns of the array, `y` along its rows, and 0 is the centre
    /// of the first element. Points can be outside the image. The label is drawn where the line leaves the image, or else
    /// on the line, if there is room.
    #[must_use]
    pub fn new(parts: Vec<Vec<[f64; 2]>>, label: Option<String>) -> Self {
        Self { parts, label }
    }

    /// Returns the line without its label.
    #[must_use]
    pub fn without_label(self) -> Self {
        Self { label: None, ..self }
    }
}

/// The space between a label and its line or the edge of the picture, in pixels.
const GAP: f64 = 3.0;

/// The distance from an edge at which a line still leaves the image.
const NEAR: f64 = 1.0;

/// Draws lines, and those of their labels that have room beside the areas that are taken.
pub(crate) fn draw(lines: &[GridLine], picture: &mut Picture, placement: &Placement, taken: &mut Vec<Area>) {
    let of_line = |line: &GridLine| {
        let points = |part: &Vec<[f64; 2]>| part.iter().map(|point| placement.point(*point)).collect();
        let parts: Vec<Vec<Point>> = line.parts.iter().map(points).collect();
        parts.iter().flat_map(|part| clipped(part, picture)).collect::<Vec<_>>()
    };
    let all: Vec<Vec<Vec<Point>>> = lines.iter().map(of_line).collect();
    for run in all.iter().flatten() {
        polyline(picture, run, GRID);
    }
    let font = Font::for_width(picture.width);
    for (line, runs) in lines.iter().zip(&all) {
        let Some(label) = line.label.as_deref() else { continue };
        let size = (font.width(label), font.height());
        // Labels must not hide a small picture.
        if size.0 * 3 > picture.width || size.1 * 8 > picture.height {
            continue;
        }
        // Places without lines are better, but one at an end of the line is better than one along it.
        let of_each = places(runs, size, picture).map(|mut places| {
            places.retain(|area| !taken.iter().any(|other| overlap(other, area)));
            let clear = places.iter().find(|area| !has_lines(picture, area));
            clear.or_else(|| places.first()).copied()
        });
        let [at_end, along] = of_each;
        let Some(area) = at_end.or(along) else { continue };
        outlined(font, picture, label, (area.x, area.y));
        taken.push(area);
    }
}

/// Writes a text that can be read on any background.
pub(crate) fn outlined(font: Font, picture: &mut Picture, text: &str, (x, y): (usize, usize)) {
    let around = if font.height() >= 20 { 2 } else { 1 };
    for down in 0..=2 * around {
        for along in 0..=2 * around {
            let place = ((x + along).saturating_sub(around), (y + down).saturating_sub(around));
            font.write(picture, text, place, TEXT);
        }
    }
    font.write(picture, text, (x, y), GRID);
}

/// Returns the places for the label of a line at its ends and along it, the best first.
///
/// The ends at the bottom are the best ones, then those at the left, at the top, and at the right.
fn places(runs: &[Vec<Point>], (width, height): (usize, usize), picture: &Picture) -> [Vec<Area>; 2] {
    let (w, h) = (width as f64, height as f64);
    let (right, bottom) = (picture.width as f64, picture.height as f64);
    let mut found: [Vec<[f64; 2]>; 5] = Default::default();
    let [at_bottom, at_left, at_top, at_right, along] = &mut found;
    for run in runs {
        let ends = [run.as_slice().first_chunk::<2>().copied(), run.last_chunk::<2>().map(|[a, b]| [*b, *a])];
        for [[x, y], [next_x, next_y]] in ends.into_iter().flatten() {
            // The side to which the line does not lean.
            let across = if next_x > x { [x - GAP - w, x + GAP] } else { [x + GAP, x - GAP - w] };
            let beside = if next_y < y { [y + GAP, y - GAP - h] } else { [y - GAP - h, y + GAP] };
            if bottom - y <= NEAR {
                at_bottom.extend(across.map(|x| [x, bottom - GAP - h]));
            } else if x <= NEAR {
                at_left.extend(beside.map(|y| [GAP, y]));
            } else if y <= NEAR {
                at_top.extend(across.map(|x| [x, GAP]));
            } else if right - x <= NEAR {
                at_right.extend(beside.map(|y| [right - GAP - w, y]));
            }
        }
        for part in [2, 1, 3] {
            if let Some([x, y]) = run.get(run.len() * part / 4) {
                along.push([x + GAP, y - h / 2.0]);
            }
        }
    }
    let fits = |[x, y]: &[f64; 2]| *x >= 1.0 && *y >= 1.0 && x + w < right && y + h < bottom;
    let area = |[x, y]: [f64; 2]| Area { x: x as usize, y: y as usize, width, height };
    let areas = |found: Vec<[f64; 2]>| found.into_iter().filter(fits).map(area).collect();
    let [at_bottom, at_left, at_top, at_right, along] = found;
    [areas([at_bottom, at_left, at_top, at_right].concat()), areas(along)]
}

/// Returns whether two areas overlap, or nearly do.
fn overlap(a: &Area, b: &Area) -> bool {
    let margin = GAP as usize;
    let apart = |start: usize, length: usize, other: usize| start + length + margin <= other;
    !(apart(a.x, a.width, b.x)
        || apart(b.x, b.width, a.x)
        || apart(a.y, a.height, b.y)
        || apart(b.y, b.height, a.y))
}

/// Returns whether a line goes through an area.
fn has_lines(picture: &Picture, area: &Area) -> bool {
    let rows = picture.rows().skip(area.y).take(area.height);
    rows.into_iter().any(|row| row.iter().skip(area.x).take(area.width).any(|level| *level == GRID))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(lines: &[GridLine], is_up: bool) -> (Picture, Vec<Area>) {
        let mut picture = Picture::new(200, 100, vec![0; 20_000], Vec::new()).unwrap();
        let placement = Placement::new((200, 100), &picture, is_up);
        let mut taken = Vec::new();
        draw(lines, &mut picture, &placement, &mut taken);
        (picture, taken)
    }

    fn vertical(x: f64, label: &str) -> GridLine {
        GridLine::new(vec![vec![[x, -0.5], [x, 50.0], [x, 99.5]]], Some(label.to_owned()))
    }

    #[test]
    fn labels_are_where_lines_leave_the_image() {
        let across = GridLine::new(vec![vec![[-9.0, 20.0], [300.0, 20.0]]], Some("+1d".to_owned()));
        let (drawn, taken) = picture(&[vertical(50.0, "01h"), across], true);
        let places: Vec<(usize, usize)> = taken.iter().map(|area| (area.x, area.y)).collect();
        assert_eq!(places, [(53, 87), (3, 66)]);
        assert_eq!(drawn.pixels[70 * 200 + 50], GRID);
        assert_eq!(drawn.pixels[79 * 200 + 150], GRID);
        assert!(drawn.pixels.contains(&TEXT));
    }

    #[test]
    fn labels_do_not_overlap() {
        let lines: Vec<GridLine> = (0..40).map(|at| vertical(f64::from(at) * 5.0, "12h30m")).collect();
        let (_, taken) = picture(&lines, false);
        assert!(taken.len() > 5);
        for (at, area) in taken.iter().enumerate() {
            assert!(area.x + area.width < 200 && area.y + area.height < 100);
            assert!(taken.iter().skip(at + 1).all(|other| !overlap(area, other)));
        }
    }

    #[test]
    fn lines_inside_the_image_have_labels_too() {
        let circle = (0..=60).map(|at| f64::from(at) * std::f64::consts::TAU / 60.0);
        let circle = circle.map(|angle| [100.0 + 30.0 * angle.cos(), 50.0 + 30.0 * angle.sin()]).collect();
        assert_eq!(picture(&[GridLine::new(vec![circle], Some("+89d".to_owned()))], true).1.len(), 1);
        // A text of this length would hide the picture.
        assert!(picture(&[vertical(50.0, "a text of a great length")], true).1.is_empty());
    }
}
