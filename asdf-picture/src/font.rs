//! Text in pictures: bitmap fonts with the letters of Latin-1.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "positions in a picture, whose sides are below 2^17 pixels"
)]

use std::convert::Infallible;

use embedded_graphics::Drawable as _;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::pixelcolor::raw::RawU8;
use embedded_graphics::text::{Baseline, Text};

use crate::picture::Picture;

/// A level of a picture's palette, as the colour type of `embedded-graphics`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level(u8);

impl PixelColor for Level {
    type Raw = RawU8;
}

/// A picture as a draw target of `embedded-graphics`.
struct Canvas<'a>(&'a mut Picture);

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        Size::new(self.0.width as u32, self.0.height as u32)
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Level;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Level>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(point, Level(level)) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(point.x), usize::try_from(point.y)) {
                self.0.set(x, y, level);
            }
        }
        Ok(())
    }
}

/// A monospaced font.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Font(&'static MonoFont<'static>);

impl Font {
    /// Returns the font for a picture of this width.
    pub(crate) fn for_width(width: usize) -> Self {
        Self(if width >= 600 { &FONT_10X20 } else { &FONT_6X10 })
    }

    pub(crate) fn advance(self) -> usize {
        self.0.character_size.width as usize
    }

    pub(crate) fn height(self) -> usize {
        self.0.character_size.height as usize
    }

    pub(crate) fn width(self, text: &str) -> usize {
        text.chars().count() * self.advance()
    }

    /// Returns the end of a text that fits into a width. The last keys of a path say the most.
    pub(crate) fn fitted(self, text: &str, width: usize) -> String {
        let (max, count) = (width / self.advance(), text.chars().count());
        match count.checked_sub(max) {
            None | Some(0) => text.to_owned(),
            Some(_) if max <= 3 => String::new(),
            Some(over) => format!("...{}", text.chars().skip(over + 3).collect::<String>()),
        }
    }

    /// Writes a text with its upper left corner at a position.
    pub(crate) fn write(self, picture: &mut Picture, text: &str, (x, y): (usize, usize), level: u8) {
        let style = MonoTextStyle::new(self.0, Level(level));
        let Ok(_) = Text::with_baseline(text, Point::new(x as i32, y as i32), style, Baseline::Top)
            .draw(&mut Canvas(picture));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_do_not_fit_keep_their_end() {
        let font = Font::for_width(100);
        assert_eq!(font.fitted("/roman/data", 66), "/roman/data");
        assert_eq!(font.fitted("/roman/data", 60), "...an/data");
        assert_eq!(font.fitted("/roman/data", 18), "");
    }

    #[test]
    fn letters_of_units_have_glyphs() {
        let font = Font::for_width(100);
        let drawn = |text: &str| {
            let mut picture = Picture::new(6, 10, vec![0; 60], Vec::new()).unwrap();
            font.write(&mut picture, text, (0, 0), 1);
            picture.pixels
        };
        let unknown = drawn("\u{3042}");
        for letter in ["J", "y", "µ", "°", "Å", "²", "/", "e"] {
            assert!(drawn(letter) != unknown && drawn(letter).contains(&1), "{letter}");
        }
    }
}
