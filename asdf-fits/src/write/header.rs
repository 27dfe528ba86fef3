//! Makes the cards of a unit.

use asdf_core::{Error, Result};

use super::checksum::{self, Sum};
use super::column::Form;
use crate::card::{self, Card, CardValue};
use crate::hdu::Hdu;
use crate::read::BLOCK;
use crate::table::Table;

/// The header of a unit while it is made: cards that describe the data, and the unit's own cards.
pub(super) struct Made<'a> {
    hdu: &'a Hdu,
    /// The cards that must come first.
    first: Vec<Card>,
    /// Other cards that the data needs.
    others: Vec<Card>,
    /// Whether the data is stored with the scale of the header.
    scaled: bool,
    /// The columns that are stored with the scale of the header.
    scaled_columns: Vec<usize>,
    /// The number of columns of the table.
    columns: usize,
    /// Whether missing elements are marked by the integers of the header.
    nulls: bool,
}

impl<'a> Made<'a> {
    pub(super) fn new(hdu: &'a Hdu) -> Self {
        Self {
            hdu,
            first: Vec::new(),
            others: Vec::new(),
            scaled: false,
            scaled_columns: Vec::new(),
            columns: 0,
            nulls: false,
        }
    }

    /// Makes a card with the comment that the header has for the keyword.
    fn card(&self, keyword: &str, value: impl Into<CardValue>) -> Card {
        let value = value.into();
        match self.hdu.card(keyword) {
            // 1 and 1.0 are the same number. Keep the form of the header.
            Some(own) if own.value.as_ref().is_some_and(|own| same(own, &value)) => own.clone(),
            Some(own) => Card { value: Some(value), ..own.clone() },
            None => Card { keyword: keyword.to_owned(), value: Some(value), comment: String::new() },
        }
    }

    /// Adds the cards at the start of every unit.
    pub(super) fn begin(
        &mut self,
        primary: bool,
        kind: &str,
        bits: Option<i64>,
        shape: &[u64],
    ) -> Result<()> {
        let mut first = Vec::new();
        first.push(if primary { self.card("SIMPLE", true) } else { self.card("XTENSION", kind) });
        // Without data, any BITPIX is right.
        let own = self.hdu.value("BITPIX").and_then(CardValue::as_i64);
        first.push(self.card("BITPIX", bits.or(own).unwrap_or(8)));
        let number = |number: u64| {
            i64::try_from(number).map_err(|_| Error::unsupported("axes longer than 2^63 are not supported"))
        };
        first.push(self.card("NAXIS", number(shape.len() as u64)?));
        for (index, &axis) in shape.iter().rev().enumerate() {
            first.push(self.card(&format!("NAXIS{}", index + 1), number(axis)?));
        }
        if !primary {
            first.push(self.card("PCOUNT", 0_i64));
            first.push(self.card("GCOUNT", 1_i64));
        }
        self.first = first;
        Ok(())
    }

    /// Keeps the scale of the header.
    pub(super) fn keep_scale(&mut self) {
        self.scaled = true;
        self.nulls = true;
    }

    /// Adds the offset of unsigned integers.
    pub(super) fn scale(&mut self, form: &Form, factor: &str, zero: &str) {
        if let Some(offset) = form.zero {
            if self.hdu.card(factor).is_some() {
                let card = self.card(factor, 1_i64);
                self.others.push(card);
            }
            let mut card = self.card(zero, offset);
            // Trees cannot hold integers of this size. As a float it is exact.
            if i64::try_from(offset).is_err() {
                card.value = Some(offset.into());
            }
            self.others.push(card);
        }
    }

    /// Adds the integer that marks missing elements.
    pub(super) fn null(&mut self, keyword: &str, null: Option<i128>) {
        match null {
            Some(null) => {
                let mut card = self.card(keyword, null);
                if self.hdu.card(keyword).is_none() {
                    card.comment = "marks missing values".to_owned();
                }
                self.others.push(card);
            }
            // Only integers have a `BLANK`.
            None => self.nulls |= self.first.get(1).and_then(|bits| bits.value.as_ref()?.as_i64()) > Some(0),
        }
    }

    /// Adds the cards of a table.
    pub(super) fn table(&mut self, table: &Table, forms: &[Form], nulls: &[Option<i128>]) -> Result<()> {
        let widths = table.columns.iter().zip(forms).map(|(column, form)| form.width_of(column));
        let width = widths.fold(0_u64, u64::saturating_add);
        self.begin(false, "BINTABLE", Some(8), &[table.rows()?, width])?;
        let count = self.card("TFIELDS", i64::try_from(forms.len()).unwrap_or(i64::MAX));
        self.first.push(count);
        self.nulls = true;
        self.columns = forms.len();
        for (index, ((column, form), null)) in table.columns.iter().zip(forms).zip(nulls).enumerate() {
            let number = index + 1;
            let cell = column.data.shape().get(1..).unwrap_or_default();
            let own = |name: &str| self.hdu.text(&format!("{name}{number}"));
            let default = format!("col{number}");
            let mut made = Vec::new();
            match own("TTYPE") {
                // The reader made this name for a column without one.
                None | Some("") if column.name == default => {}
                _ => made.push(("TTYPE", column.name.clone())),
            }
            let letters = form.letters(cell, own("TFORM"), own("TDIM"));
            let kept = own("TFORM") == Some(letters.as_str());
            made.push(("TFORM", letters));
            if let Some(unit) = column.unit.as_ref().filter(|unit| !unit.is_empty()) {
                made.push(("TUNIT", unit.clone()));
            }
            let mut axes: Vec<String> = cell.iter().rev().map(u64::to_string).collect();
            if form.code == 'A' && !axes.is_empty() {
                axes.insert(0, form.size.to_string());
            }
            match own("TDIM") {
                Some(dim) if kept => made.push(("TDIM", dim.to_owned())),
                _ if axes.len() > 1 && !kept => made.push(("TDIM", format!("({})", axes.join(",")))),
                _ => {}
            }
            for (name, value) in made {
                let card = self.card(&format!("{name}{number}"), value);
                self.others.push(card);
            }
            if form.scaled {
                self.scaled_columns.push(number);
            } else {
                self.scale(form, &format!("TSCAL{number}"), &format!("TZERO{number}"));
                if let Some(null) = null {
                    self.null(&format!("TNULL{number}"), Some(*null));
                }
            }
        }
        Ok(())
    }

    /// Adds `DATASUM` and `CHECKSUM`.
    pub(super) fn checksums(&mut self, data: &Sum) -> Result<()> {
        self.others.push(checksum::datasum(data));
        self.others.push(checksum::card(&"0".repeat(16)));
        let header = self.bytes()?;
        self.others.pop();
        self.others.push(checksum::card(&checksum::of(&header, data)));
        Ok(())
    }

    /// Returns whether a card of the unit describes the data as it was read, not as it is written.
    fn is_stale(&self, keyword: &str) -> bool {
        let name = keyword.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = keyword.get(name.len()..).and_then(|number| number.parse::<usize>().ok());
        let table = self.first.first().and_then(Card::as_str) == Some("BINTABLE");
        match (name, number) {
            ("SIMPLE" | "XTENSION" | "BITPIX" | "NAXIS" | "TFIELDS" | "THEAP", None) => true,
            // Primary units need neither card, but can have them.
            ("PCOUNT", None) => self.hdu.value(keyword).and_then(CardValue::as_i64) != Some(0),
            ("GCOUNT", None) => self.hdu.value(keyword).and_then(CardValue::as_i64) != Some(1),
            ("NAXIS" | "TFORM" | "TDIM" | "TBCOL", Some(_)) => true,
            ("BSCALE" | "BZERO", None) => !self.scaled,
            // `BLANK` means nothing for floats. If an image of floats had one, it stays.
            ("BLANK", None) => {
                let is_float =
                    |bits: Option<&CardValue>| bits.and_then(CardValue::as_i64).is_some_and(|bits| bits < 0);
                !self.nulls && !is_float(self.hdu.value("BITPIX"))
            }
            ("TSCAL" | "TZERO", Some(number)) => table && !self.scaled_columns.contains(&number),
            // An empty name or unit stays. asdf-astropy keeps units in the cards only.
            ("TTYPE", Some(_)) => self.hdu.text(keyword).is_some_and(|text| !text.is_empty()),
            ("TUNIT", Some(number)) => table && number > self.columns,
            _ => false,
        }
    }

    /// Returns the bytes of the header, padded to a whole block.
    pub(super) fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for card in &self.first {
            card::write(card, &mut bytes)?;
        }
        let is = |cards: &[Card], keyword: &str| cards.iter().any(|card| card.keyword == keyword);
        // New cards of a table come first. The cards of the header keep their places.
        for card in self.others.iter().filter(|card| self.hdu.card(&card.keyword).is_none()) {
            if !matches!(card.keyword.as_str(), "CHECKSUM" | "DATASUM") {
                card::write(card, &mut bytes)?;
            }
        }
        let mut written: Vec<&str> = Vec::new();
        for (index, card) in self.hdu.header.iter().enumerate() {
            let keyword = card.keyword.as_str();
            let place = |error: Error| error.under(index).under("header");
            if keyword == "END" || (!card.is_commentary() && is(&self.first, keyword)) {
                continue;
            }
            match self.others.iter().find(|made| made.keyword == keyword && !card.is_commentary()) {
                Some(made) if !written.contains(&keyword) => {
                    written.push(keyword);
                    card::write(made, &mut bytes).map_err(place)?;
                }
                Some(_) => {}
                None if !card.is_commentary() && self.is_stale(keyword) => {}
                None => card::write(card, &mut bytes).map_err(place)?,
            }
        }
        for card in &self.others {
            if matches!(card.keyword.as_str(), "CHECKSUM" | "DATASUM")
                && self.hdu.card(&card.keyword).is_none()
            {
                card::write(card, &mut bytes)?;
            }
        }
        bytes.extend_from_slice(format!("{:80}", "END").as_bytes());
        bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
        Ok(bytes)
    }
}

fn same(one: &CardValue, other: &CardValue) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => match (one.as_str(), other.as_str()) {
            (Some(one), Some(other)) => one.trim_end() == other.trim_end(),
            _ => one == other,
        },
    }
}
