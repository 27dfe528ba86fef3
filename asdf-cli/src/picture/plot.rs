//! The drawing of a line, with its limits written beside it.

use super::curve::label;
use super::{Curve, Picture, font};

const PAPER: u8 = 0;
const INK: u8 = 1;
const FRAME: u8 = 2;
const TEXT: u8 = 3;

/// A picture of at most this size.
pub(super) fn draw(curve: &Curve, width: usize, height: usize) -> Picture {
    let palette = vec![[255; 3], [31, 78, 156], [160, 160, 160], [40, 40, 40]];
    let pixels = vec![PAPER; width * height];
    let mut picture = Picture { width, height, pixels, palette, see_through: false };
    let scale = if width >= 600 { 2 } else { 1 };
    let (low, high) = match curve.range() {
        Some((low, high)) => (label(low), label(high)),
        None => (String::new(), String::new()),
    };
    let (advance, line) = (font::ADVANCE * scale, font::HEIGHT * scale);
    let gap = 2 * scale;
    let left = low.len().max(high.len()) * advance + 2 * gap;
    let below = line + 2 * gap;
    // Too small for words: the line alone.
    if width < left + 8 * gap || height < below + 8 * gap {
        curve_at(&mut picture, curve, (0, 0), (width, height));
        return picture;
    }
    let (right, top) = (2 * gap, 2 * gap);
    let (inner_width, inner_height) = (width - left - right, height - top - below);
    frame(&mut picture, (left, top), (inner_width, inner_height));
    curve_at(&mut picture, curve, (left, top), (inner_width, inner_height));
    let mut text = |text: &str, x: usize, y: usize| font::write(&mut picture, text, (x, y), scale, TEXT);
    text(&high, left - gap - high.len() * advance, top);
    text(&low, left - gap - low.len() * advance, top + inner_height - line);
    text("0", left, height - gap - line);
    let last = curve.count.saturating_sub(1).to_string();
    text(&last, (width - right).saturating_sub(last.len() * advance), height - gap - line);
    picture
}

fn curve_at(picture: &mut Picture, curve: &Curve, (x, y): (usize, usize), (width, height): (usize, usize)) {
    let map = curve.drawn(width, height);
    for down in 0..height {
        for along in (0..width).filter(|&along| map.is_set(along, down)) {
            picture.set(x + along, y + down, INK);
        }
    }
}

fn frame(picture: &mut Picture, (x, y): (usize, usize), (width, height): (usize, usize)) {
    for down in 0..=height {
        picture.set(x - 1, y + down, FRAME);
    }
    for along in 0..width {
        picture.set(x + along, y + height, FRAME);
    }
}

impl Picture {
    /// Gives a pixel its level; what is outside is left.
    pub(super) fn set(&mut self, x: usize, y: usize, level: u8) {
        if x < self.width {
            if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
                *pixel = level;
            }
        }
    }
}
