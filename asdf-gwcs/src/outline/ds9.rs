//! Region files of SAOImage DS9.

use super::Outline;

impl Outline {
    /// Returns one line of a DS9 region file, such as `icrs;polygon(10,-1,10,1,8,1)`.
    ///
    /// The coordinate system is `icrs`, `fk5`, `fk4`, `galactic` or `ecliptic`; a polygon in any other frame is
    /// written as `fk5`, which is what DS9 assumes.
    #[must_use]
    pub fn to_ds9(&self) -> String {
        let system = match self.frame() {
            known @ ("icrs" | "fk5" | "fk4" | "galactic") => known,
            ecliptic if ecliptic.ends_with("ecliptic") => "ecliptic",
            _ => "fk5",
        };
        format!("{system};polygon({})", self.numbers(","))
    }
}
