//! `Bitmap`: the dots of a drawing.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a drawing: from 0 to its size"
)]

/// A grid of dots that are set or not, rows from the top.
///
/// Use it to draw a [`Curve`](crate::Curve) yourself.
#[derive(Debug, Clone)]
pub struct Bitmap {
    width: usize,
    height: usize,
    dots: Vec<bool>,
}

impl Bitmap {
    /// Returns the width in dots.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in dots.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns whether a dot is set; false outside the bitmap.
    #[must_use]
    pub fn is_set(&self, x: usize, y: usize) -> bool {
        x < self.width && self.dots.get(y * self.width + x).copied().unwrap_or(false)
    }

    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, height, dots: vec![false; width * height] }
    }

    pub(crate) fn set(&mut self, x: f64, y: f64) {
        let (x, y) = (x as usize, y as usize);
        if let Some(dot) = self.dots.get_mut(y * self.width + x).filter(|_| x < self.width) {
            *dot = true;
        }
    }

    /// Sets the dots of another bitmap too, scaled to the size of this one.
    ///
    /// They become crosses if `crosses` is set and this bitmap is high enough.
    pub(crate) fn copy(&mut self, other: &Self, crosses: bool) {
        let arm = match self.height {
            200.. if crosses => 2,
            80.. if crosses => 1,
            _ => 0_i32,
        };
        let scaled = |at: usize, own: usize, all: usize| {
            (at as f64 / all.saturating_sub(1).max(1) as f64 * own.saturating_sub(1) as f64).round()
        };
        for (at, _) in other.dots.iter().enumerate().filter(|(_, dot)| **dot) {
            let x = scaled(at % other.width.max(1), self.width, other.width);
            let y = scaled(at / other.width.max(1), self.height, other.height);
            for along in -arm..=arm {
                self.set(x + f64::from(along), y);
                self.set(x, y + f64::from(along));
            }
        }
    }

    pub(crate) fn segment(&mut self, from: (f64, f64), to: (f64, f64)) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0);
        for step in 0..=steps as usize {
            let part = step as f64 / steps;
            let x = (from.0 + (to.0 - from.0) * part).round();
            let y = (from.1 + (to.1 - from.1) * part).round();
            self.set(x, y);
        }
    }
}
