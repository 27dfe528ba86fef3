//! Reads FITS files.

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
use crate::cut_off;
use crate::fits::Fits;
use crate::hdu::{Data, Hdu, Stored};

pub(crate) use image::{bits, datatype_of, unknown_bits};
pub use selector::Selector;
pub use unpack::is_fits;
pub(crate) use unpack::{has_header, unpacked};

/// The size of the blocks of headers and data, in bytes.
pub(crate) const BLOCK: usize = 2880;

/// Opens a FITS file and reads all of it into memory.
///
/// # Errors
/// If the file cannot be read; otherwise the errors of [`Fits::from_bytes`].
///
/// # Examples
/// ```no_run
/// let fits = asdf_fits::open("m31.fits")?;
/// for hdu in &fits.hdus {
///     println!("{}: {} cards", hdu.name().unwrap_or("-"), hdu.header.len());
/// }
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "fits.open")]
pub fn open(path: impl AsRef<Path>) -> Result<Fits> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|error| Error::io("reading", error));
    bytes.and_then(Fits::from_bytes).map_err(|error| error.at_file(path))
}

impl Fits {
    /// Reads a FITS file from memory. Use [`ReadOptions`] to read files that are partly damaged.
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

/// Options for reading FITS files.
///
/// # Examples
/// ```
/// use asdf_fits::{Card, Fits, Hdu, ReadOptions};
///
/// let units = ["SCI", "ERR"].map(|name| Hdu::new(vec![Card::new("EXTNAME", name, "")]));
/// let bytes = Fits::new(units.to_vec()).to_bytes()?;
///
/// let reading = ReadOptions::new().select(vec!["ERR".parse().unwrap()]).read(bytes)?;
/// assert_eq!(reading.numbers, [1]);
/// assert_eq!(reading.fits.hdus[0].name(), Some("ERR"));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    masks: bool,
    selected: Vec<Selector>,
}

/// The units that were read from a FITS file, and the problems with their data.
#[derive(Debug)]
pub struct Reading {
    /// The selected units; by default all.
    pub fits: Fits,
    /// The number in the file of each unit in `fits`, from 0.
    pub numbers: Vec<usize>,
    /// The errors of units whose data could not be read. `fits` holds these units without data.
    pub problems: Vec<Error>,
}

impl ReadOptions {
    /// Creates the default options: all units, and the values that astropy shows.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether integers that `BLANK` or `TNULLn` declare missing are masked (default: false).
    ///
    /// If not, those of images become NaN and those of tables stay, as in astropy.
    #[must_use]
    pub fn masks(mut self, masks: bool) -> Self {
        self.masks = masks;
        self
    }

    /// Selects the units to read. The other units are skipped.
    #[must_use]
    pub fn select(mut self, selected: Vec<Selector>) -> Self {
        self.selected = selected;
        self
    }

    /// Reads a FITS file from memory, also one compressed with gzip (`*.fits.gz`).
    ///
    /// Elements that need no conversion are shared with `bytes`, not copied.
    ///
    /// # Errors
    /// [`Malformed`](asdf_core::error::Kind::Malformed) if the bytes are not a FITS file, or the first header
    /// cannot be read; [`Mismatch`](asdf_core::error::Kind::Mismatch) if a selected unit does not exist.
    /// Problems with the data of a unit are not errors; they are in [`Reading::problems`].
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
        // Ignore other bytes after the last unit.
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
                // Without the length of this unit, the start of the next one is unknown.
                None => break,
            }
        }
        if let Some((selector, _)) = self.selected.iter().zip(&found).find(|(_, found)| !**found) {
            return Err(Error::mismatch(format!("HDU {selector} does not exist"))
                .with_hint(format!("select one of {}", names.join(", "))));
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

/// A unit whose header has been read.
struct Unit {
    hdu: Hdu,
    exact: bool,
    start: usize,
    data: usize,
    /// The end of the data; `None` if the header does not say it, or the file ends before it.
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
                    (None, Some(cut_off::in_data(size as u64, left as u64).at_offset(data as u64)))
                }
            },
            Err(error) => (None, Some(error.at_offset(start as u64))),
        };
        Ok(Self { hdu, exact: header.exact, start, data, end, problem })
    }

    /// Reads the data. Returns the unit, and the error if it has no data because of one.
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

/// Reads a unit from its bytes in a FITS file.
pub(crate) fn unit(bytes: &Bytes) -> Result<Hdu> {
    Unit::at(bytes, 0).map(|unit| unit.read(bytes, false).0)
}

/// Reads a unit from its bytes in a FITS file, and fails if its data cannot be read.
pub(crate) fn whole_unit(bytes: &Bytes) -> Result<Hdu> {
    match Unit::at(bytes, 0)?.read(bytes, false) {
        (hdu, None) => Ok(hdu),
        (_, Some(error)) => Err(error),
    }
}

/// The data of a unit.
struct Decoded {
    data: Option<Data>,
    /// The header that describes the data, if it differs from that in the file.
    header: Option<Vec<Card>>,
    /// Whether header and data keep all information of the bytes.
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
        None if groups(hdu, &axes) => Err(Error::unsupported("random groups are not supported")),
        None | Some("IMAGE" | "IUEIMAGE") => image::image(hdu, &axes, bytes, masks),
        Some(other) => Err(Error::unsupported(format!(
            "extensions of the type '{}' are not supported",
            other.escape_debug()
        ))
        .with_hint("select an image, a binary table or an ASCII table")),
    }
}

/// Returns the value of a card that must be an integer of at least 0.
pub(crate) fn count(hdu: &Hdu, keyword: &str) -> Result<usize> {
    let value = hdu.value(keyword).and_then(|value| value.as_i64());
    value
        .and_then(|value| usize::try_from(value).ok())
        .ok_or_else(|| Error::malformed(format!("{keyword} is missing or not a non-negative integer")))
}

fn count_or(hdu: &Hdu, keyword: &str, default: usize) -> Result<usize> {
    if hdu.value(keyword).is_some() { count(hdu, keyword) } else { Ok(default) }
}

/// Returns the lengths of the axes, the fastest varying first.
pub(crate) fn axes(hdu: &Hdu) -> Result<Vec<usize>> {
    match count(hdu, "NAXIS")? {
        n @ 0..=999 => (1..=n).map(|axis| count(hdu, &format!("NAXIS{axis}"))).collect(),
        n => Err(Error::malformed(format!("NAXIS is {n}, expected at most 999"))),
    }
}

pub(crate) fn groups(hdu: &Hdu, axes: &[usize]) -> bool {
    let flag = hdu.value("GROUPS").and_then(|value| value.as_bool()) == Some(true);
    flag && hdu.card("XTENSION").is_none() && axes.first() == Some(&0)
}

/// Returns the size of the data in bytes, without padding.
pub(crate) fn size(hdu: &Hdu) -> Result<usize> {
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
        .ok_or_else(|| Error::malformed("the size of the data overflows"))
}

/// Refuses data that would grow out of proportion to the `from` bytes of its input. A small file must not use
/// up the memory.
fn check_growth(size: Option<usize>, from: usize) -> Result<usize> {
    const FREE: usize = 256 << 20;
    const MOST: usize = 4096;
    match size {
        Some(size) if size <= FREE || size / MOST <= from => Ok(size),
        Some(size) => Err(Error::limit(format!(
            "{from} bytes would expand to {size} bytes of data, more than {MOST} times their size"
        ))),
        None => Err(Error::limit("the size of the data overflows")),
    }
}

const _: () = assert!(BLOCK.is_multiple_of(CARD));
