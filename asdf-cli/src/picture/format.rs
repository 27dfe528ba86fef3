//! Formats of picture files.

use std::io::Write;
use std::path::Path;

use asdf_core::{Error, Result};

use super::{Picture, jpeg, write_png};

/// A format of picture files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Png,
    Jpeg,
}

impl Format {
    /// Returns the format that the ending of a file's name stands for.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("jpg" | "jpeg") => Ok(Self::Jpeg),
            Some(other) => Err(Error::usage(format!(
                "'.{}' is not a picture format that can be written",
                other.escape_debug()
            ))),
            None => Err(Error::usage("cannot tell the picture format: the name has no ending")),
        }
        .map_err(|error| error.with_hint("use .png, .jpg or .jpeg").at_file(path))
    }

    /// Writes a picture.
    pub(crate) fn write(self, picture: &Picture, out: &mut dyn Write) -> Result<()> {
        match self {
            Self::Png => write_png(picture, out),
            Self::Jpeg => jpeg::write(picture, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(see_through: bool) -> Picture {
        let palette = (0..=255).map(|level| [level; 3]).collect();
        Picture { width: 16, height: 8, pixels: vec![200; 128], palette, see_through, has_marks: false }
    }

    #[test]
    fn endings_name_formats() {
        for (name, format) in [("a.png", Format::Png), ("b/a.JPG", Format::Jpeg), ("a.b.jpeg", Format::Jpeg)]
        {
            assert_eq!(Format::of(Path::new(name)).unwrap(), format);
        }
        for name in ["a.tif", "a", ".png", "png"] {
            assert!(Format::of(Path::new(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn jpeg_is_jpeg() {
        let mut out = Vec::new();
        Format::Jpeg.write(&picture(false), &mut out).unwrap();
        assert!(out.starts_with(&[0xff, 0xd8, 0xff]) && out.ends_with(&[0xff, 0xd9]));
        assert!(Format::Jpeg.write(&picture(true), &mut out).unwrap_err().message().contains("transparent"));
        let wide = Picture { width: 70_000, height: 1, pixels: vec![0; 70_000], ..picture(false) };
        assert!(Format::Jpeg.write(&wide, &mut out).is_err());
    }
}
