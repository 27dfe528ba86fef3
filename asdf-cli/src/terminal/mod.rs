//! Pictures in a terminal: which way it draws them, and how.

mod blocks;
mod braille;
mod graphics;
mod images;
mod sixel;
mod window;

use std::io::Write;

use asdf_core::Result;

use crate::commands::output;
use crate::picture::{Bounds, Picture};

pub(crate) use braille::lines;
pub(crate) use graphics::Graphics;
pub(crate) use window::Window;

impl Graphics {
    /// The room for a picture in a window, with two lines left for words.
    pub(crate) fn room(self, window: &Window) -> Bounds {
        let rows = window.rows.saturating_sub(3).max(1);
        match self {
            Self::Kitty | Self::Iterm | Self::Sixel => {
                Bounds::Within(window.columns * window.cell.0, rows * window.cell.1)
            }
            // A character is two pixels, one above the other.
            Self::Blocks | Self::Text => Bounds::Within(window.columns, rows * 2),
        }
    }

    /// Draws a picture where the cursor is.
    pub(crate) fn draw(self, picture: &Picture, out: &mut dyn Write) -> Result<()> {
        match self {
            Self::Kitty => images::kitty(picture, out),
            Self::Iterm => images::iterm(picture, out),
            Self::Sixel => sixel::draw(picture, out).map_err(output),
            Self::Blocks => blocks::draw(picture, blocks::depth(), out).map_err(output),
            Self::Text => blocks::characters(picture, out).map_err(output),
        }
    }
}
