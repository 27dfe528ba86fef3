//! The options that draw world coordinates over an image.

use asdf_core::{File, Result};

use super::sky::{Shown, Sky};
use crate::complete_path::PLACE;
use crate::context::Context;

/// Options for the sky over an image.
#[derive(Debug, clap::Args)]
pub(super) struct SkyArgs {
    /// Draw lines of longitude and latitude with labels over an image
    ///
    /// The world coordinates are those of the gwcs of the file. Right ascensions are in hours, all else is in degrees.
    /// A label that has no room is left out, as are all labels in small pictures.
    #[arg(long, conflicts_with = "x")]
    #[cfg_attr(not(feature = "wcs"), arg(hide = true))]
    grid: bool,

    /// Draw arrows to north (N) and east (E) in a corner of an image
    ///
    /// The directions are those at the middle of the image.
    #[arg(long, conflicts_with = "x")]
    #[cfg_attr(not(feature = "wcs"), arg(hide = true))]
    compass: bool,

    /// Use the world coordinate system at PATH for --grid and --compass
    ///
    /// The default is the only one of the file, or the one in the same mapping as the image or in its `meta`.
    #[arg(long, value_name = "PATH", value_hint = PLACE, requires = "sky")]
    #[cfg_attr(not(feature = "wcs"), arg(hide = true))]
    wcs: Option<String>,
}

impl SkyArgs {
    /// Returns the option that needs world coordinates, if one is given.
    pub(super) fn option(&self) -> Option<&'static str> {
        match (self.grid, self.compass) {
            (true, _) => Some("--grid"),
            (false, true) => Some("--compass"),
            (false, false) => None,
        }
    }

    /// Returns what to draw over the shown part of an image; `None` without the options.
    pub(super) fn of(&self, file: &File, shown: &Shown<'_>, context: &Context) -> Result<Option<Sky>> {
        let Some(option) = self.option() else { return Ok(None) };
        // The error for an array without elements follows.
        if shown.part.contains(&0) {
            return Ok(None);
        }
        self.needed(file, shown, option, context).map(Some)
    }

    #[cfg(not(feature = "wcs"))]
    #[expect(clippy::unused_self, reason = "the method of builds with the feature uses it")]
    fn needed(&self, _: &File, _: &Shown<'_>, option: &str, _: &Context) -> Result<Sky> {
        Err(crate::commands::left_out::error(option, "wcs"))
    }

    #[cfg(feature = "wcs")]
    fn needed(&self, file: &File, shown: &Shown<'_>, option: &str, context: &Context) -> Result<Sky> {
        let choice = super::pixels::Choice { path: self.wcs.as_deref(), option };
        super::pixels::sky(choice, [self.grid, self.compass], file, shown, context)
    }
}
