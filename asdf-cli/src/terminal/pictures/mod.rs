//! Drawing pictures in a terminal.

mod blocks;
mod braille;
mod graphics;
mod images;
mod sixel;

use std::io::Write;

use asdf_core::Result;
use asdf_picture::{Bounds, Format, Picture, RgbPicture};

use super::Window;
use crate::outcome::output;

pub(crate) use braille::lines;
pub(crate) use graphics::Graphics;

impl Graphics {
    /// Returns the bounds of a picture in a window, with two lines left for text.
    pub(crate) fn bounds(self, window: &Window) -> Bounds {
        let rows = window.rows.saturating_sub(3).max(1);
        match self {
            Self::Kitty | Self::Iterm | Self::Sixel => {
                Bounds::Within(window.columns * window.cell.0, rows * window.cell.1)
            }
            // A character has two pixels, one above the other.
            Self::Blocks | Self::Text => Bounds::Within(window.columns, rows * 2),
        }
    }

    /// Draws a picture at the cursor.
    pub(crate) fn draw(self, picture: &Picture, out: &mut dyn Write) -> Result<()> {
        let mut png = Vec::new();
        match self {
            Self::Kitty => {
                picture.write(Format::Png, &mut png)?;
                images::kitty(&png, out)
            }
            Self::Iterm => {
                picture.write(Format::Png, &mut png)?;
                images::iterm(&png, (picture.width(), picture.height()), out)
            }
            Self::Sixel => sixel::draw(picture, out).map_err(output),
            Self::Blocks => blocks::draw(picture, blocks::depth(), out).map_err(output),
            Self::Text => blocks::characters(picture, out).map_err(output),
        }
    }

    /// Draws a picture with many colours at the cursor. Sixel gets a palette, and characters show only brightness.
    pub(crate) fn draw_rgb(self, picture: &RgbPicture, out: &mut dyn Write) -> Result<()> {
        let mut png = Vec::new();
        match self {
            Self::Kitty => {
                picture.write(Format::Png, &mut png)?;
                images::kitty(&png, out)
            }
            Self::Iterm => {
                picture.write(Format::Png, &mut png)?;
                images::iterm(&png, (picture.width(), picture.height()), out)
            }
            Self::Sixel => sixel::draw(&picture.reduced(), out).map_err(output),
            Self::Blocks => {
                blocks::draw_colours(picture.pixels(), picture.width(), blocks::depth(), out).map_err(output)
            }
            Self::Text => blocks::characters(&picture.gray(), out).map_err(output),
        }
    }
}
