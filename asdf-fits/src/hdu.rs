//! `Hdu`: a header and its data.

use asdf_core::NdArray;
use asdf_core::source::Bytes;

use crate::card::{Card, CardValue};
use crate::table::Table;

/// A header/data unit: a list of cards, and an image or a table.
///
/// # Examples
/// ```
/// use asdf_core::NdArray;
/// use asdf_fits::{Card, Data, Hdu};
///
/// let image = NdArray::new(&[1, 3], &[1.5_f32, 2.5, 3.5])?;
/// let hdu = Hdu::new(vec![Card::new("EXTNAME", "ERR", "")]).with_data(Data::Image(image));
/// assert_eq!((hdu.name(), hdu.version()), (Some("ERR"), 1));
/// assert_eq!(hdu.image().map(|image| image.shape()), Some([1, 3].as_slice()));
/// assert!(hdu.table().is_none());
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[doc(alias = "PrimaryHDU")]
#[doc(alias = "ImageHDU")]
#[doc(alias = "CompImageHDU")]
#[doc(alias = "BinTableHDU")]
#[doc(alias = "TableHDU")]
#[derive(Debug, Clone, Default)]
pub struct Hdu {
    /// The cards, in order and without `END`.
    pub header: Vec<Card>,
    /// The image or table; `None` if the unit has only a header, or its data cannot be read.
    pub data: Option<Data>,
    /// The bytes of the unit in the FITS file, if it cannot be rebuilt from the header and the data.
    pub(crate) stored: Option<Stored>,
}

/// The data of a unit: an image or a table.
#[allow(clippy::large_enum_variant, reason = "most units are images, and a file has few units")]
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Data {
    /// An image, or an array with any number of axes.
    Image(NdArray),
    /// A table.
    Table(Table),
}

/// The bytes of a unit in a FITS file.
#[allow(clippy::large_enum_variant, reason = "few units keep their bytes")]
#[derive(Debug, Clone)]
pub(crate) enum Stored {
    /// Bytes in memory.
    Bytes(Bytes),
    /// An array of a tree.
    Array(NdArray),
}

impl Hdu {
    /// Creates a unit with these cards and without data.
    #[must_use]
    pub fn new(header: Vec<Card>) -> Self {
        Self { header, ..Self::default() }
    }

    /// Returns the same unit with this data.
    #[must_use]
    pub fn with_data(self, data: Data) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Returns the image; `None` if the data is not an image.
    #[must_use]
    pub fn image(&self) -> Option<&NdArray> {
        match self.data.as_ref()? {
            Data::Image(image) => Some(image),
            Data::Table(_) => None,
        }
    }

    /// Returns the table; `None` if the data is not a table.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match self.data.as_ref()? {
            Data::Table(table) => Some(table),
            Data::Image(_) => None,
        }
    }

    /// Returns the name of the unit (`EXTNAME`); `None` if it is missing or empty.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.value("EXTNAME")?.as_str().map(str::trim).filter(|name| !name.is_empty())
    }

    /// Returns the version of the unit (`EXTVER`), 1 by default. It tells units of the same name apart.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.value("EXTVER").and_then(CardValue::as_i64).unwrap_or(1)
    }

    /// Returns the first card with this keyword.
    #[must_use]
    pub fn card(&self, keyword: &str) -> Option<&Card> {
        self.header.iter().find(|card| card.keyword == keyword)
    }

    /// Returns the value of the first card with this keyword.
    #[must_use]
    pub fn value(&self, keyword: &str) -> Option<&CardValue> {
        self.card(keyword)?.value.as_ref()
    }

    /// Iterates over the texts of the cards with this keyword, such as `HISTORY` or `COMMENT`.
    pub fn remarks<'a>(&'a self, keyword: &'a str) -> impl Iterator<Item = &'a str> {
        self.header.iter().filter(move |card| card.keyword == keyword).filter_map(Card::as_str)
    }

    /// Replaces the first card with the same keyword, or appends the card.
    ///
    /// `HISTORY`, `COMMENT` and blank cards are always appended.
    ///
    /// # Examples
    /// ```
    /// use asdf_fits::{Card, Hdu};
    ///
    /// let mut hdu = Hdu::new(Vec::new());
    /// hdu.set(Card::new("EXPTIME", 30.0, "[s] exposure time"));
    /// hdu.set(Card::new("EXPTIME", 60.0, "[s] exposure time"));
    /// hdu.set(Card::new("HISTORY", "bias subtracted", ""));
    /// assert_eq!(hdu.value("EXPTIME").and_then(|value| value.as_f64()), Some(60.0));
    /// assert_eq!(hdu.remarks("HISTORY").collect::<Vec<_>>(), ["bias subtracted"]);
    /// ```
    pub fn set(&mut self, card: Card) {
        let own = self.header.iter_mut().find(|own| own.keyword == card.keyword);
        match own.filter(|_| !card.is_commentary()) {
            Some(own) => *own = card,
            None => self.header.push(card),
        }
    }

    /// Returns the string of a card, without leading and trailing spaces.
    pub(crate) fn text(&self, keyword: &str) -> Option<&str> {
        self.value(keyword)?.as_str().map(str::trim)
    }
}
