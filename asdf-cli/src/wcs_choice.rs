//! Chooses one of the world coordinate systems of a file.

use asdf_core::{File, Result};
use asdf_gwcs::Wcs;

use crate::place;

/// Opens the world coordinate system at a path, or else the only one. `option` is the one that names a path.
pub(crate) fn named_or_only(file: &File, named: Option<&str>, option: &str) -> Result<Wcs> {
    let Some(word) = named else {
        return Wcs::only(file).map_err(|error| match error.hint() {
            Some(hint) if Wcs::find(file).len() > 1 => {
                let hint = format!("pass {option} PATH: {}", crate::hint::Words(hint));
                error.replace_hint(hint)
            }
            _ => error,
        });
    };
    let path = file.tree().resolve_path(word);
    Wcs::open(file, path.as_str()).map_err(|error| place::with_guess(file, path.as_str(), error))
}
