//! `Fits`: the units of a file.

use crate::hdu::Hdu;

/// The contents of a FITS file: its header/data units.
///
/// In the tree they have the tag of asdf-astropy, `tag:astropy.org:astropy/fits/fits-1.2.0`. The tags of the
/// standard, `tag:stsci.edu:asdf/fits/fits-1.*`, are read as well.
///
/// Data holds the values that astropy has: `BSCALE`, `BZERO`, `BLANK`, `TSCALn` and `TZEROn` are applied, and
/// their cards stay in the header, which is how asdf-astropy stores them. A unit that cannot be made from header
/// and data again, such as a compressed image, also keeps its bytes (`stored` in the tree). They are used for
/// writing as long as header and data say the same.
#[derive(Debug, Clone, Default)]
pub struct Fits {
    /// The units, the primary one first.
    pub hdus: Vec<Hdu>,
}

impl Fits {
    /// Creates the contents of a file.
    #[must_use]
    pub fn new(hdus: Vec<Hdu>) -> Self {
        Self { hdus }
    }

    /// Returns the first unit.
    #[must_use]
    pub fn primary(&self) -> Option<&Hdu> {
        self.hdus.first()
    }

    /// Returns the first unit with this name, in any case. `PRIMARY` is the first unit, unless another has
    /// that name.
    #[must_use]
    pub fn hdu(&self, name: &str) -> Option<&Hdu> {
        let named = self.hdus.iter().find(|hdu| hdu.name().is_some_and(|own| own.eq_ignore_ascii_case(name)));
        named.or_else(|| self.primary().filter(|_| name.eq_ignore_ascii_case("PRIMARY")))
    }
}
