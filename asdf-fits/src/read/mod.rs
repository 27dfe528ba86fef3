//! The bytes of FITS files as units.

mod ascii;
mod bintable;
mod flags;
mod heap;
mod image;
mod selector;
mod tiled;
mod unpack;

use std::path::Path;

use asdf_core::source::Bytes;
use asdf_core::{Error, Result};

use crate::card::{self, CARD, Card};
use crate::fits::Fits;
use crate::hdu::{Data, Hdu, Stored};

pub(crate) use image::datatype_of;
pub use selector::Selector;
pub use unpack::is_fits;

/// Headers and data are stored in blocks of this size.
pub(crate) const BLOCK: usize = 2880;

/// Opens a FITS file, which is read whole.
///
/// # Errors
/// If the file cannot be read, and as [`Fits::from_bytes`].
pub fn open(path: impl AsRef<Path>) -> Result<Fits> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::io("reading", error));
    bytes.and_then(Fits::from_bytes).map_err(|error| error.at_file(path))
}

impl Fits {
    /// Reads a FITS file that is in memory. [`ReadOptions`] can also read files of which a part is damaged.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the bytes are not a FITS file or end early;
    /// [`Unsupported`](asdf_core::error::Kind::Unsupported) for random groups and unknown extensions.
    pub fn from_bytes(bytes: impl Into<Bytes>) -> Result<Self> {
        let reading = ReadOptions::new().read(bytes)?;
        match reading.problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(reading.fits),
        }
    }
}

/// How to read FITS files.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    masks: bool,
    selected: Vec<Selector>,
}

/// What was read from a FITS file.
#[derive(Debug)]
pub struct Reading {
    /// The units that were selected; all, by default.
    pub fits: Fits,
    /// For each unit in `fits` its number in the file, from 0.
    pub numbers: Vec<usize>,
    /// Why data could not be read. The units without their data are in `fits`.
    pub problems: Vec<Error>,
}

impl ReadOptions {
    /// Creates the default options: all units, and the values that astropy has.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether integers that mean no value, by `BLANK` or `TNULLn`, are masked. By default those of
    /// images become NaN and those of tables stay, as in astropy.
    #[must_use]
    pub fn masks(mut self, masks: bool) -> Self {
        self.masks = masks;
        self
    }

    /// Selects the units to read. The others are skipped.
    #[must_use]
    pub fn select(mut self, selected: Vec<Selector>) -> Self {
        self.selected = selected;
        self
    }

    /// Reads a FITS file that is in memory. It can be compressed as a whole, as files `*.fits.gz` are.
    /// Elements that need no change are shared with `bytes`, not copied.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the bytes are not a FITS file, or the first header
    /// cannot be read; [`Mismatch`](asdf_core::error::Kind::Mismatch) if a selected unit does not exist.
    /// What is wrong with the data of a unit is in [`Reading::problems`].
    pub fn read(&self, bytes: impl Into<Bytes>) -> Result<Reading> {
        let bytes = unpack::unpacked(bytes.into())?;
        if !bytes.starts_with(b"SIMPLE  =") {
            return Err(Error::malformed("not a FITS file: it does not start with SIMPLE").at_offset(0));
        }
        let mut reading = Reading { fits: Fits::default(), numbers: Vec::new(), problems: Vec::new() };
        let mut found = vec![false; self.selected.len()];
        let mut names = Vec::new();
        let mut at = 0;
        let mut number = 0;
        // Bytes after the last unit are not a unit.
        while bytes.get(at..).is_some_and(|rest| number == 0 || rest.starts_with(b"XTENSION")) {
            let unit = match Unit::at(&bytes, at) {
                Ok(unit) => unit,
                Err(error) if number == 0 => return Err(error),
                Err(error) => {
                    reading.problems.push(placed(number, None, error));
                    break;
                }
            };
            let mut wanted = self.selected.is_empty();
            for (selector, found) in self.selected.iter().zip(&mut found) {
                if selector.matches(number, &unit.hdu) {
                    (*found, wanted) = (true, true);
                }
            }
            names.push(match unit.hdu.name() {
                Some(name) => format!("{number} ({name},{})", unit.hdu.version()),
                None => number.to_string(),
            });
            let end = unit.end;
            if wanted {
                let (hdu, problem) = unit.read(&bytes, self.masks);
                reading.problems.extend(problem.map(|error| placed(number, hdu.name(), error)));
                reading.fits.hdus.push(hdu);
                reading.numbers.push(number);
            }
            number += 1;
            match end {
                Some(end) => at = end.div_ceil(BLOCK).saturating_mul(BLOCK),
                // Without its length the start of the next unit is unknown.
                None => break,
            }
        }
        if let Some((selector, _)) = self.selected.iter().zip(&found).find(|(_, found)| !**found) {
            return Err(Error::mismatch(format!("there is no HDU {selector}"))
                .with_hint(format!("the file has {}", names.join(", "))));
        }
        Ok(reading)
    }
}

fn placed(number: usize, name: Option<&str>, error: Error) -> Error {
    let name = name.map(|name| format!(" ({})", name.escape_debug())).unwrap_or_default();
    let path = error.path().map(|path| format!("{}: ", path.trim_start_matches('/'))).unwrap_or_default();
    let message = format!("HDU {number}{name}: {path}{}", error.message());
    error.with_message(message).without_path()
}

/// A unit whose header was read.
struct Unit {
    hdu: Hdu,
    exact: bool,
    start: usize,
    data: usize,
    /// Where the data ends; `None` if the header does not say, or the file ends before.
    end: Option<usize>,
    problem: Option<Error>,
}

impl Unit {
    fn at(bytes: &Bytes, start: usize) -> Result<Self> {
        let rest = bytes.get(start..).unwrap_or_default();
        let header = card::header(rest).map_err(|error| error.at_offset(start as u64))?;
        let hdu = Hdu::new(header.cards);
        let data = start + header.size.div_ceil(BLOCK).saturating_mul(BLOCK);
        let (end, problem) = match size(&hdu) {
            Ok(size) => match data.checked_add(size).filter(|&end| end <= bytes.len() || size == 0) {
                Some(end) => (Some(end), None),
                None => {
                    let left = bytes.len().saturating_sub(data);
                    let message = format!("the data has {size} bytes, but only {left} follow");
                    (None, Some(Error::malformed(message).at_offset(data as u64)))
                }
            },
            Err(error) => (None, Some(error.at_offset(start as u64))),
        };
        Ok(Self { hdu, exact: header.exact, start, data, end, problem })
    }

    /// The unit with its data, or why there is none.
    fn read(self, bytes: &Bytes, masks: bool) -> (Hdu, Option<Error>) {
        let mut hdu = self.hdu;
        let Some(end) = self.end else { return (hdu, self.problem) };
        let data = bytes.slice(self.data.min(bytes.len())..end.min(bytes.len()));
        let (exact, problem) = match decoded(&hdu, &data, masks) {
            Ok(decoded) => {
                hdu.data = decoded.data;
                if let Some(header) = decoded.header {
                    hdu.header = header;
                }
                (decoded.exact, None)
            }
            Err(error) => (false, Some(error.at_offset(self.data as u64))),
        };
        if !(exact && self.exact) {
            let end = end.div_ceil(BLOCK).saturating_mul(BLOCK).min(bytes.len());
            hdu.stored = Some(Stored::Bytes(bytes.slice(self.start..end)));
        }
        (hdu, problem)
    }
}

/// Reads a unit from the bytes that it had in a FITS file.
pub(crate) fn unit(bytes: &Bytes) -> Result<Hdu> {
    Unit::at(bytes, 0).map(|unit| unit.read(bytes, false).0)
}

/// The data of a unit.
struct Decoded {
    data: Option<Data>,
    /// The header that goes with the data, where it is not that of the file.
    header: Option<Vec<Card>>,
    /// Whether header and data say everything that the bytes said.
    exact: bool,
}

impl Decoded {
    fn new(data: Option<Data>, exact: bool) -> Self {
        Self { data, header: None, exact }
    }
}

fn decoded(hdu: &Hdu, bytes: &Bytes, masks: bool) -> Result<Decoded> {
    let axes = axes(hdu)?;
    match hdu.text("XTENSION") {
        Some("BINTABLE" | "A3DTABLE")
            if hdu.value("ZIMAGE").and_then(|value| value.as_bool()) == Some(true) =>
        {
            tiled::image(hdu, &axes, bytes, masks)
        }
        Some("BINTABLE" | "A3DTABLE") => bintable::table(hdu, &axes, bytes, masks),
        Some("TABLE") => ascii::table(hdu, &axes, bytes, masks),
        None if groups(hdu, &axes) => Err(Error::unsupported("random groups cannot be read")),
        None | Some("IMAGE" | "IUEIMAGE") => image::image(hdu, &axes, bytes, masks),
        Some(other) => Err(Error::unsupported(format!(
            "extensions of the type '{}' cannot be read",
            other.escape_debug()
        ))
        .with_hint("images, binary tables and ASCII tables can")),
    }
}

/// A number from 0 on.
fn count(hdu: &Hdu, keyword: &str) -> Result<usize> {
    let value = hdu.value(keyword).and_then(|value| value.as_i64());
    value
        .and_then(|value| usize::try_from(value).ok())
        .ok_or_else(|| Error::malformed(format!("{keyword} is missing, or not a number from 0 on")))
}

fn count_or(hdu: &Hdu, keyword: &str, default: usize) -> Result<usize> {
    if hdu.value(keyword).is_some() { count(hdu, keyword) } else { Ok(default) }
}

/// The axes, the fastest first.
fn axes(hdu: &Hdu) -> Result<Vec<usize>> {
    match count(hdu, "NAXIS")? {
        n @ 0..=999 => (1..=n).map(|axis| count(hdu, &format!("NAXIS{axis}"))).collect(),
        n => Err(Error::malformed(format!("NAXIS is {n}, but can be 999 at most"))),
    }
}

fn groups(hdu: &Hdu, axes: &[usize]) -> bool {
    let flag = hdu.value("GROUPS").and_then(|value| value.as_bool()) == Some(true);
    flag && hdu.card("XTENSION").is_none() && axes.first() == Some(&0)
}

/// The bytes of the data, without padding.
fn size(hdu: &Hdu) -> Result<usize> {
    let axes = axes(hdu)?;
    if axes.is_empty() {
        return Ok(0);
    }
    let item = usize::try_from(image::bits(hdu)?.unsigned_abs() / 8).unwrap_or(0);
    let groups = groups(hdu, &axes);
    let extra = if groups || hdu.card("XTENSION").is_some() { count_or(hdu, "PCOUNT", 0)? } else { 0 };
    let times = if groups { count_or(hdu, "GCOUNT", 1)? } else { 1 };
    let elements =
        axes.iter().skip(usize::from(groups)).try_fold(1_usize, |all, &axis| all.checked_mul(axis));
    elements
        .and_then(|elements| elements.checked_add(extra)?.checked_mul(times)?.checked_mul(item))
        .ok_or_else(|| Error::malformed("the data is larger than any memory"))
}

/// Refuses data that becomes out of proportion to the bytes that it is made from: a small file must not take
/// all memory.
fn check_growth(size: Option<usize>, from: usize) -> Result<usize> {
    const FREE: usize = 256 << 20;
    const MOST: usize = 4096;
    match size {
        Some(size) if size <= FREE || size / MOST <= from => Ok(size),
        Some(size) => Err(Error::limit(format!("{from} bytes would become {size} bytes of data"))),
        None => Err(Error::limit("the data is larger than any memory")),
    }
}

const _: () = assert!(BLOCK.is_multiple_of(CARD));
