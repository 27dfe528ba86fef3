//! Where the units of a FITS file are.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use asdf_core::error::{Hint, Kind};
use asdf_core::file::ContainedArray;
use asdf_core::source::Source;
use asdf_core::{Error, Result};

use crate::card;
use crate::cut_off;
use crate::hdu::Hdu;
use crate::read::{BLOCK, Selector, size};

/// The units of a FITS file, whose data was not read.
#[derive(Debug)]
pub(super) struct Units {
    source: Arc<dyn Source>,
    units: Vec<Unit>,
    /// The numbers of the first unit of each name in upper case and version.
    names: HashMap<String, BTreeMap<i64, usize>>,
    /// Why the units after these are not known.
    problem: Option<(Fault, u64)>,
}

/// The name of a unit, and where it is.
#[derive(Debug)]
pub(super) struct Unit {
    name: Option<String>,
    version: i64,
    pub(super) start: u64,
    /// The data, without padding.
    pub(super) data: Range<u64>,
    /// The array, or why it is none. Few are needed, so they are described on their first use.
    array: OnceLock<std::result::Result<Arc<ContainedArray>, Fault>>,
}

/// An error that is returned several times.
#[derive(Debug)]
struct Fault {
    kind: Kind,
    message: String,
    hint: Option<Hint>,
}

impl Fault {
    fn new(error: &Error) -> Self {
        Self { kind: error.kind(), message: error.message().to_owned(), hint: error.hint().cloned() }
    }

    fn error(&self) -> Error {
        let error = Error::new(self.kind, self.message.clone());
        match &self.hint {
            Some(hint) => error.with_hint(hint.clone()),
            None => error,
        }
    }
}

impl Units {
    /// Reads the headers of all units.
    pub(super) fn of(source: Arc<dyn Source>) -> Result<Self> {
        let (mut units, mut problem) = (Vec::new(), None);
        let mut at = 0;
        loop {
            match Unit::at(source.as_ref(), at, units.is_empty()) {
                Ok(Some(unit)) => {
                    at = unit.data.end.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64);
                    units.push(unit);
                }
                // Other bytes after the last unit are ignored.
                Ok(None) => break,
                Err(error) if units.is_empty() => return Err(error),
                // The arrays of the units before this one can be read.
                Err(error) => {
                    let message = format!("HDU {}: {}", units.len(), error.message());
                    problem = Some((Fault { message, ..Fault::new(&error) }, at));
                    break;
                }
            }
        }
        let mut names: HashMap<String, BTreeMap<i64, usize>> = HashMap::new();
        for (number, unit) in units.iter().enumerate() {
            let name = unit.name.as_deref().or_else(|| (number == 0).then_some("PRIMARY"));
            if let Some(name) = name {
                names.entry(name.to_ascii_uppercase()).or_default().entry(unit.version).or_insert(number);
            }
        }
        Ok(Self { source, units, names, problem })
    }

    pub(super) fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Returns the first unit that a selector matches.
    pub(super) fn find(&self, wanted: &Selector) -> Result<&Unit> {
        let named = |name: &str| self.names.get(&name.to_ascii_uppercase());
        let number = match wanted {
            Selector::Number(number) => Some(*number),
            Selector::Name(name, None) => named(name).and_then(|versions| versions.values().min().copied()),
            Selector::Name(name, Some(version)) => {
                named(name).and_then(|versions| versions.get(version).copied())
            }
        };
        if let Some(unit) = number.and_then(|number| self.units.get(number)) {
            return Ok(unit);
        }
        let wanted = wanted.to_string();
        let wanted = wanted.escape_debug();
        if let Some((problem, at)) = &self.problem {
            let error = problem.error();
            let message = format!("HDU {wanted} was not found; {}", error.message());
            return Err(error.with_message(message).at_offset(*at));
        }
        /// More names, or longer ones, would hide the message.
        const MOST: usize = 40;
        let names = self.units.iter().enumerate().take(MOST).map(|(number, unit)| match &unit.name {
            Some(name) => {
                let name: String = name.chars().take(MOST).collect();
                format!("{number} ({},{})", name.escape_debug(), unit.version)
            }
            None => number.to_string(),
        });
        let mut names: Vec<String> = names.collect();
        if let Some(more) = self.units.len().checked_sub(MOST).filter(|&more| more > 0) {
            names.push(format!("and {more} more"));
        }
        Err(Error::mismatch(format!("HDU {wanted} does not exist"))
            .with_hint(format!("use one of the HDUs of the file: {}", names.join(", "))))
    }

    /// Reads the header of a unit again. Few are needed, and all of them would take as much memory as the file.
    pub(super) fn header(&self, unit: &Unit) -> Result<Hdu> {
        let found = header(self.source.as_ref(), unit.start, true)?;
        found.map(|(hdu, _)| hdu).ok_or_else(|| Error::malformed("the header is empty").at_offset(unit.start))
    }
}

impl Unit {
    /// Returns the unit at an offset, or `None` if no extension begins there.
    fn at(source: &dyn Source, start: u64, is_first: bool) -> Result<Option<Self>> {
        let Some((hdu, data)) = header(source, start, is_first)? else { return Ok(None) };
        let size = size(&hdu).map_err(|error| error.at_offset(start))? as u64;
        let end = data.checked_add(size).filter(|&end| end <= source.len() || size == 0);
        let end = end.ok_or_else(|| {
            let left = source.len().saturating_sub(data);
            cut_off::in_data(size, left).at_offset(data)
        })?;
        Ok(Some(Self {
            name: hdu.name().map(str::to_owned),
            version: hdu.version(),
            start,
            data: data..end,
            array: OnceLock::new(),
        }))
    }
}

impl Unit {
    /// Returns the array of the unit, which `describe` makes once.
    pub(super) fn array(
        &self,
        describe: impl FnOnce() -> Result<ContainedArray>,
    ) -> Result<Arc<ContainedArray>> {
        let array = self.array.get_or_init(|| describe().map(Arc::new).map_err(|error| Fault::new(&error)));
        array.as_ref().map(Arc::clone).map_err(Fault::error)
    }
}

/// Reads the header at an offset. Returns the unit without data, and where the data begins; `None` if it should be that of
/// an extension and is not.
fn header(source: &dyn Source, start: u64, is_first: bool) -> Result<Option<(Hdu, u64)>> {
    const EXTENSION: &[u8] = b"XTENSION";
    if !is_first && start.saturating_add(EXTENSION.len() as u64) > source.len() {
        return Ok(None);
    }
    /// The number of bytes to read first. Most headers are shorter.
    const FIRST: u64 = 4 * BLOCK as u64;
    /// The same if a read takes long.
    const FIRST_REMOTE: u64 = 16 * BLOCK as u64;
    let mut bytes = Vec::new();
    let mut step = if source.cost().is_high() { FIRST_REMOTE } else { FIRST };
    let mut searched = 0;
    loop {
        let from = start.saturating_add(bytes.len() as u64);
        let to = from.saturating_add(step).min(source.len());
        if to <= from {
            return Err(cut_off::in_header().at_offset(start));
        }
        source.append(from..to, &mut bytes)?;
        if !is_first && !bytes.starts_with(EXTENSION) {
            return Ok(None);
        }
        step = step.saturating_mul(2);
        let end = card::end(&bytes, searched).map_err(|error| error.at_offset(start))?;
        if let Some(end) = end {
            let found = card::header(bytes.get(..end).unwrap_or_default());
            let found = found.map_err(|error| error.at_offset(start))?;
            let size = found.size.div_ceil(BLOCK).saturating_mul(BLOCK) as u64;
            return Ok(Some((Hdu::new(found.cards), start.saturating_add(size))));
        }
        searched = bytes.len();
    }
}
