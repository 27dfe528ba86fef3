//! The configuration file.

use std::path::Path;

use crate::settings::Settings;
use crate::{Error, Result};

/// The existing types for the schemas of the ASDF Standard. `asdf-schemas/tests/generated.rs` writes the file.
const STANDARD: &str = include_str!("standard.yaml");

/// The settings with the types of the ASDF Standard.
pub(super) fn standard() -> Result<Settings> {
    parse(STANDARD, Path::new("standard.yaml"))
}

pub(super) fn read(path: &Path) -> Result<Settings> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Error::io("reading the configuration", error).at_file(path))?;
    parse(&text, path)
}

fn parse(text: &str, path: &Path) -> Result<Settings> {
    // An empty file is an empty configuration.
    let settings: Option<Settings> = serde_yaml::from_str(text).map_err(|error| {
        let message = error.to_string();
        let place = error.location();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let message = message.split(" at line ").next().unwrap_or_default();
        let error = Error::malformed(format!("cannot read the configuration: {message}"));
        match place {
            Some(place) => error.at_position(number(place.line()), number(place.column())),
            None => error,
        }
        .at_file(path)
        .with_hint(
            "use the keys standard, manifests, default, types, extern, names, modules, write_checks and upgrades",
        )
    })?;
    Ok(settings.unwrap_or_default())
}
