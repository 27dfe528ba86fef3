//! Drawing tables and pictures in a terminal.

#[cfg(feature = "picture")]
mod pictures;
pub(crate) mod table;
mod window;

#[cfg(feature = "picture")]
pub(crate) use pictures::{Graphics, lines};
pub(crate) use window::Window;
