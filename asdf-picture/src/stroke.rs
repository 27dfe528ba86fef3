//! Thin lines in a picture.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture: from 0 to its size"
)]

use crate::picture::Picture;

/// A position in a picture. The upper left corner of the first pixel is 0, 0.
pub(crate) type Point = [f64; 2];

/// Returns the parts of a polyline that are in a picture. They end at its edges.
pub(crate) fn clipped(points: &[Point], picture: &Picture) -> Vec<Vec<Point>> {
    let size = [picture.width as f64, picture.height as f64];
    let mut runs: Vec<Vec<Point>> = Vec::new();
    let mut before = None;
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        let Some([from, to]) = inside(*from, *to, size) else {
            before = None;
            continue;
        };
        match runs.last_mut().filter(|_| before == Some(from)) {
            Some(run) => run.push(to),
            None => runs.push(vec![from, to]),
        }
        before = Some(to);
    }
    runs
}

/// Returns the part of a segment in a rectangle, by the method of Liang and Barsky.
fn inside(from: Point, to: Point, size: Point) -> Option<[Point; 2]> {
    if !from.iter().chain(&to).all(|number| number.is_finite()) {
        return None;
    }
    let (mut start, mut end) = (0.0_f64, 1.0_f64);
    for ((from, to), size) in from.iter().zip(to).zip(size) {
        let change = to - from;
        let (low, high) = (-from / change, (size - from) / change);
        if change == 0.0 {
            if *from < 0.0 || *from > size {
                return None;
            }
        } else {
            start = start.max(low.min(high));
            end = end.min(low.max(high));
        }
    }
    let at = |part: f64| match part {
        0.0 => from,
        1.0 => to,
        _ => [from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])],
    };
    (start <= end).then(|| [at(start), at(end)])
}

/// Draws a polyline that is one pixel wide.
pub(crate) fn polyline(picture: &mut Picture, points: &[Point], level: u8) {
    let mut was_wide = None;
    for (from, to) in points.iter().zip(points.iter().skip(1)) {
        let is_wide = (to[0] - from[0]).abs() >= (to[1] - from[1]).abs();
        // A line needs a pixel where its direction changes.
        if was_wide != Some(is_wide) {
            dot(picture, *from, level);
        }
        was_wide = Some(is_wide);
        segment(picture, *from, *to, is_wide, level);
    }
    if let Some(last) = points.last() {
        dot(picture, *last, level);
    }
}

/// Sets one pixel in each column or row whose middle is between the ends.
fn segment(picture: &mut Picture, from: Point, to: Point, is_wide: bool, level: u8) {
    let [x, y] = [[from[0], to[0]], [from[1], to[1]]];
    let ([start, end], [start_across, end_across]) = if is_wide { (x, y) } else { (y, x) };
    let first = (start.min(end) - 0.5).ceil().max(0.0) as usize;
    let count = (start.max(end) + 0.5).floor().max(0.0) as usize;
    for place in first..count {
        let middle = place as f64 + 0.5;
        let part = ((middle - start) / (end - start)).clamp(0.0, 1.0);
        let across = start_across + part * (end_across - start_across);
        let point = if is_wide { [middle, across] } else { [across, middle] };
        dot(picture, point, level);
    }
}

/// Sets the pixel at a position. The right and the lower edge belong to the last pixels.
pub(crate) fn dot(picture: &mut Picture, [x, y]: Point, level: u8) {
    let (x, y) = (x.floor().max(0.0) as usize, y.floor().max(0.0) as usize);
    picture.set(x.min(picture.width.saturating_sub(1)), y.min(picture.height.saturating_sub(1)), level);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: &[Point]) -> Vec<String> {
        let mut picture = Picture::new(6, 4, vec![0; 24], Vec::new()).unwrap();
        for run in clipped(points, &picture) {
            polyline(&mut picture, &run, 1);
        }
        picture
            .rows()
            .map(|row| row.iter().map(|&level| if level == 1 { '#' } else { '.' }).collect())
            .collect()
    }

    #[test]
    fn lines_are_one_pixel_wide() {
        assert_eq!(drawn(&[[0.0, 0.0], [6.0, 4.0]]), ["#.....", ".##...", "...#..", "....##"]);
        assert_eq!(drawn(&[[2.5, 0.0], [2.5, 2.0], [6.0, 2.0]]), ["..#...", "..#...", "..####", "......"]);
    }

    #[test]
    fn lines_end_at_the_edges() {
        assert_eq!(drawn(&[[-1e9, 1.5], [1e9, 1.5]]), ["......", "######", "......", "......"]);
        assert_eq!(drawn(&[[7.0, 0.0], [7.0, 4.0]]).concat().matches('#').count(), 0);
        assert_eq!(drawn(&[[f64::NAN, 0.0], [1.0, 1.0]]).concat().matches('#').count(), 0);
        let picture = Picture::new(6, 4, vec![0; 24], Vec::new()).unwrap();
        let runs = clipped(&[[1.0, 1.0], [9.0, 1.0], [9.0, 2.0], [1.0, 2.0]], &picture);
        assert_eq!(runs, [[[1.0, 1.0], [6.0, 1.0]], [[6.0, 2.0], [1.0, 2.0]]]);
    }
}
