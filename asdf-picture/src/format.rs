//! `Format`: the formats of picture files.

use std::path::Path;

use asdf_core::{Error, Result};

/// A format of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// PNG, which is lossless: one byte per pixel before compression, or three in a colour picture.
    Png,
    /// JPEG with quality 92, without transparency.
    Jpeg,
}

impl Format {
    /// Returns the format for the extension of a path. The file need not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the extension is not `.png`, `.jpg` or `.jpeg`, in upper or lower case.
    pub fn from_path(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("jpg" | "jpeg") => Ok(Self::Jpeg),
            Some(other) => Err(Error::usage(format!(
                "pictures in the format '.{}' are not supported",
                other.escape_debug()
            ))),
            None => Err(Error::usage("unknown picture format: the name has no extension")),
        }
        .map_err(|error| error.with_hint("use .png, .jpg or .jpeg").at_file(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_select_formats() {
        for (name, format) in [("a.png", Format::Png), ("b/a.JPG", Format::Jpeg), ("a.b.jpeg", Format::Jpeg)]
        {
            assert_eq!(Format::from_path(Path::new(name)).unwrap(), format);
        }
        for name in ["a.tif", "a", ".png", "png"] {
            assert!(Format::from_path(Path::new(name)).is_err(), "{name}");
        }
    }
}
