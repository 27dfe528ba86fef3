//! Where the units of a FITS file are.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::source::Source;
use asdf_core::{Error, Result};

use crate::card::{self, CARD};
use crate::hdu::Hdu;
use crate::read::{BLOCK, Selector, size};

/// The units of a FITS file, whose data was not read.
#[derive(Debug)]
pub(super) struct Units {
    source: Arc<dyn Source>,
    units: Vec<Unit>,
    /// Why the units after these are not known.
    problem: Option<(String, u64)>,
}

/// The name of a unit, and where it is.
#[derive(Debug)]
pub(super) struct Unit {
    name: Option<String>,
    version: i64,
    pub(super) start: u64,
    /// The data, without padding.
    pub(super) data: Range<u64>,
}

impl Units {
    /// Reads the headers of all units.
    pub(super) fn of(source: Arc<dyn Source>) -> Result<Self> {
        let (mut units, mut problem) = (Vec::new(), None);
        let mut at = 0;
        // Other bytes after the last unit are ignored.
        while units.is_empty() || is_extension(source.as_ref(), at)? {
            let unit = match Unit::at(source.as_ref(), at) {
                Ok(unit) => unit,
                Err(error) if units.is_empty() => return Err(error),
                // The arrays of the units before this one can be read.
                Err(error) => {
                    problem = Some((format!("HDU {}: {}", units.len(), error.message()), at));
                    break;
                }
            };
            let next = unit.data.end.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64);
            units.push(unit);
            at = next;
        }
        Ok(Self { source, units, problem })
    }

    pub(super) fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Returns the first unit that a selector matches.
    pub(super) fn find(&self, wanted: &Selector) -> Result<&Unit> {
        let mut units = self.units.iter().enumerate();
        let found = units.find(|(number, unit)| wanted.matches(*number, unit.name.as_deref(), unit.version));
        if let Some((_, unit)) = found {
            return Ok(unit);
        }
        if let Some((problem, at)) = &self.problem {
            return Err(Error::malformed(format!("HDU {wanted} was not found; {problem}")).at_offset(*at));
        }
        /// More names would hide the message.
        const MOST: usize = 40;
        let names = self.units.iter().enumerate().take(MOST).map(|(number, unit)| match &unit.name {
            Some(name) => format!("{number} ({},{})", name.escape_debug(), unit.version),
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
        header(self.source.as_ref(), unit.start).map(|(hdu, _)| hdu)
    }
}

impl Unit {
    fn at(source: &dyn Source, start: u64) -> Result<Self> {
        let (hdu, data) = header(source, start)?;
        let size = size(&hdu).map_err(|error| error.at_offset(start))? as u64;
        let end = data.checked_add(size).filter(|&end| end <= source.len() || size == 0);
        let end = end.ok_or_else(|| {
            let left = source.len().saturating_sub(data);
            let message = format!("the data has {size} bytes, but only {left} follow");
            Error::malformed(message).at_offset(data)
        })?;
        Ok(Self { name: hdu.name().map(str::to_owned), version: hdu.version(), start, data: data..end })
    }
}

/// Whether an extension begins at an offset.
fn is_extension(source: &dyn Source, at: u64) -> Result<bool> {
    const START: &[u8] = b"XTENSION";
    let end = at.saturating_add(START.len() as u64);
    Ok(end <= source.len() && source.read(at..end)?.as_ref() == START)
}

/// Reads the header at an offset. Returns the unit without data, and where the data begins.
fn header(source: &dyn Source, start: u64) -> Result<(Hdu, u64)> {
    /// The number of bytes to read first. Most headers are shorter.
    const FIRST: u64 = 4 * BLOCK as u64;
    /// The same if a read takes long.
    const FIRST_REMOTE: u64 = 64 * BLOCK as u64;
    /// A longer header is an error.
    const MOST: usize = 16 << 20;
    let mut bytes = Vec::new();
    let mut step = if source.cost().is_high() { FIRST_REMOTE } else { FIRST };
    let mut searched = 0;
    loop {
        let from = start.saturating_add(bytes.len() as u64);
        let to = from.saturating_add(step).min(source.len());
        if to <= from {
            return Err(Error::malformed("the file ends inside a header").at_offset(start));
        }
        source.append(from..to, &mut bytes)?;
        step = step.saturating_mul(2);
        let cards = bytes.get(searched..).unwrap_or_default().chunks_exact(CARD);
        let end = cards.clone().position(|card| card.trim_ascii_end() == b"END");
        if let Some(end) = end.map(|end| searched + (end + 1) * CARD) {
            let found = card::header(bytes.get(..end).unwrap_or_default());
            let found = found.map_err(|error| error.at_offset(start))?;
            let size = found.size.div_ceil(BLOCK).saturating_mul(BLOCK) as u64;
            return Ok((Hdu::new(found.cards), start.saturating_add(size)));
        }
        searched += cards.len() * CARD;
        if bytes.len() > MOST {
            return Err(Error::limit(format!("the header is larger than {MOST} bytes")).at_offset(start));
        }
    }
}
