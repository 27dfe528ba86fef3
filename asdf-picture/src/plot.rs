//! Draws a line with axes around it.

use crate::curve::Curve;
use crate::frame::{Area, Frame, Labels, Mark};
use crate::picture::Picture;
use crate::signs::{COLOURS, PAPER};
use crate::ticks::Tick;

/// The level of the line itself.
const CURVE: u8 = 0;

/// Draws a curve with its axes in a picture of this size.
pub(crate) fn draw(curve: &Curve, labels: &Labels, width: usize, height: usize) -> Picture {
    let mut palette = vec![[31, 78, 156]; 256];
    for (entry, colour) in palette.iter_mut().skip(usize::from(PAPER)).zip(COLOURS) {
        *entry = colour;
    }
    let mut picture = Picture::sheet(width, height, palette, false);
    let frame = Frame::new(labels, labels.unit.as_deref(), width);
    let least = frame.margins(0);
    let y = marks(curve.y_ticks(frame.max_ticks(height.saturating_sub(least.top + least.bottom), 2)));
    let characters = y.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let margins = frame.margins(characters);
    let inner_width = width.saturating_sub(margins.left + margins.right);
    let inner_height = height.saturating_sub(margins.top + margins.bottom);
    // The picture is too small for labels: draw only the line.
    if inner_width < 4 * frame.font.advance() || inner_height < frame.font.height() {
        curve_at(&mut picture, curve, Area { x: 0, y: 0, width, height });
        return picture;
    }
    let area = Area { x: margins.left, y: margins.top, width: inner_width, height: inner_height };
    let widest = |ticks: &[Mark]| ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(1);
    let guess = marks(curve.x_ticks(frame.max_ticks(inner_width, 1)));
    let x = marks(curve.x_ticks(frame.max_ticks(inner_width, widest(&guess))));
    frame.draw(&mut picture, area, &x, &y);
    curve_at(&mut picture, curve, area);
    picture
}

fn marks(ticks: Vec<(f64, Tick)>) -> Vec<Mark> {
    ticks.into_iter().map(|(place, tick)| (place, tick.label)).collect()
}

fn curve_at(picture: &mut Picture, curve: &Curve, area: Area) {
    let map = curve.drawn(area.width, area.height);
    for down in 0..area.height {
        for along in (0..area.width).filter(|&along| map.is_set(along, down)) {
            picture.set(area.x + along, area.y + down, CURVE);
        }
    }
}

#[cfg(test)]
mod tests {
    use asdf_core::NdArray;

    use super::*;
    use crate::limits::Limits;
    use crate::signs::{LINE, TEXT};
    use crate::stretch::Stretch;

    fn drawn(width: usize, height: usize) -> Picture {
        let array = NdArray::new(&[3], &[1.0, 2.0, 3.0]).unwrap();
        let x = NdArray::new(&[3], &[10.0, 15.0, 20.0]).unwrap();
        let curve = Curve::of(&array, Some(&x), width, Limits::MinMax, Stretch::Linear).unwrap();
        let labels =
            Labels { title: "/flux".to_owned(), unit: Some("Jy".to_owned()), x: Some("time (d)".to_owned()) };
        draw(&curve, &labels, width, height)
    }

    #[test]
    fn lines_have_axes_if_these_fit() {
        let large = drawn(300, 150);
        for level in [CURVE, PAPER, LINE, TEXT] {
            assert!(large.pixels.contains(&level), "{level}");
        }
        let small = drawn(20, 10);
        assert!(!small.pixels.contains(&TEXT) && !small.pixels.contains(&LINE));
        assert_eq!((small.pixels[9 * 20], small.pixels[19]), (CURVE, CURVE));
    }
}
