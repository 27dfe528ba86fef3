//! `Fits`: HDUs by name, and cards by keyword.

use asdf_core::value::Number;
use asdf_core::{Error, NdArray, Result};

use crate::fits::fits::v1_0_0::{self, HduData as OldData};
use crate::fits::{Card, CardItem, CardItemString, Fits, Hdu, HduData};
use crate::table::Table;

impl Card {
    /// Makes a card from a keyword, a value and a comment. An empty comment is left out.
    ///
    /// # Errors
    /// [`Mismatch`](asdf_core::error::Kind::Mismatch) if a text has more than 60 characters, the limit of the schema.
    pub fn from_parts(
        keyword: &str,
        value: impl TryInto<CardItem, Error = Error>,
        comment: &str,
    ) -> Result<Self> {
        let value = value.try_into().map_err(|error| error.under(keyword))?;
        let mut items = vec![text(keyword)?, value];
        if !comment.is_empty() {
            items.push(text(comment).map_err(|error| error.under(keyword))?);
        }
        Self::new(items)
    }

    /// Returns the keyword. It is empty for a blank card.
    #[must_use]
    pub fn keyword(&self) -> &str {
        self.get().first().and_then(CardItem::as_str).unwrap_or_default()
    }

    /// Returns the value: a text, a number or a boolean.
    #[must_use]
    pub fn value(&self) -> Option<&CardItem> {
        self.get().get(1)
    }

    /// Returns the comment after the value.
    #[must_use]
    pub fn comment(&self) -> Option<&str> {
        self.get().get(2).and_then(CardItem::as_str)
    }
}

impl CardItem {
    /// Returns the text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text.get()),
            _ => None,
        }
    }

    /// Returns the number as the nearest float, if it is one.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number.to_f64()),
            _ => None,
        }
    }

    /// Returns the integer, if it is one and fits.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Number(Number::Int(number)) => number.try_into().ok(),
            _ => None,
        }
    }

    /// Returns the boolean, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

fn text(text: &str) -> Result<CardItem> {
    CardItemString::new(text).map(CardItem::String)
}

impl TryFrom<&str> for CardItem {
    type Error = Error;

    fn try_from(value: &str) -> Result<Self> {
        text(value)
    }
}

impl TryFrom<bool> for CardItem {
    type Error = Error;

    fn try_from(value: bool) -> Result<Self> {
        Ok(Self::Bool(value))
    }
}

impl TryFrom<i64> for CardItem {
    type Error = Error;

    fn try_from(value: i64) -> Result<Self> {
        Ok(Self::Number(value.into()))
    }
}

impl TryFrom<f64> for CardItem {
    type Error = Error;

    fn try_from(value: f64) -> Result<Self> {
        Ok(Self::Number(value.into()))
    }
}

macro_rules! units {
    ($($fits:ty: $hdu:ty, $data:ident);*) => {$(
        impl $fits {
            /// Returns the first HDU.
            #[must_use]
            pub fn primary(&self) -> Option<&$hdu> {
                self.0.first()
            }

            /// Returns the first HDU with a name (keyword `EXTNAME`), ignoring case.
            ///
            /// `PRIMARY` is the first HDU, unless another HDU has this name.
            #[must_use]
            pub fn hdu(&self, name: &str) -> Option<&$hdu> {
                let named = self.0.iter().find(|hdu| hdu.name().is_some_and(|own| own.eq_ignore_ascii_case(name)));
                named.or_else(|| self.primary().filter(|_| name.eq_ignore_ascii_case("PRIMARY")))
            }
        }

        impl $hdu {
            /// Returns the image, if the HDU holds one.
            #[must_use]
            pub fn image(&self) -> Option<&NdArray> {
                match self.contents()? {
                    $data::NdArray(image) => Some(image),
                    $data::Table(_) => None,
                }
            }

            fn contents(&self) -> Option<&$data> {
                self.data.as_ref()?.value()
            }

            /// Returns the name, from the keyword `EXTNAME`, without trailing blanks.
            #[must_use]
            pub fn name(&self) -> Option<&str> {
                Some(self.value("EXTNAME")?.as_str()?.trim_end())
            }

            /// Returns the first card with a keyword, in upper case.
            #[must_use]
            pub fn card(&self, keyword: &str) -> Option<&Card> {
                self.header.iter().find(|card| card.keyword() == keyword)
            }

            /// Returns the value of the first card with a keyword.
            #[must_use]
            pub fn value(&self, keyword: &str) -> Option<&CardItem> {
                self.card(keyword)?.value()
            }

            /// Returns the texts of the `HISTORY` cards, in their order.
            pub fn history(&self) -> impl Iterator<Item = &str> {
                self.remarks("HISTORY")
            }

            /// Returns the texts of the `COMMENT` cards, in their order.
            pub fn comments(&self) -> impl Iterator<Item = &str> {
                self.remarks("COMMENT")
            }

            fn remarks<'a>(&'a self, keyword: &'a str) -> impl Iterator<Item = &'a str> {
                let cards = self.header.iter().filter(move |card| card.keyword() == keyword);
                cards.filter_map(|card| card.value()?.as_str())
            }

            /// Replaces the first card with the same keyword, or adds the card at the end.
            ///
            /// Cards with the keyword `HISTORY` or `COMMENT`, and blank cards, are always added.
            ///
            /// ```
            /// use asdf_schemas::fits::{Card, Hdu};
            ///
            /// let mut hdu = Hdu::new(Vec::new());
            /// hdu.set(Card::from_parts("EXPTIME", 30.0, "[s] exposure time")?);
            /// hdu.set(Card::from_parts("EXPTIME", 60.0, "[s] exposure time")?);
            /// hdu.set(Card::from_parts("HISTORY", "bias subtracted", "")?);
            /// assert_eq!(hdu.value("EXPTIME").and_then(|value| value.as_f64()), Some(60.0));
            /// assert_eq!(hdu.card("EXPTIME").and_then(|card| card.comment()), Some("[s] exposure time"));
            /// assert_eq!(hdu.history().collect::<Vec<_>>(), ["bias subtracted"]);
            /// # Ok::<(), asdf_core::Error>(())
            /// ```
            pub fn set(&mut self, card: Card) {
                let remark = matches!(card.keyword(), "HISTORY" | "COMMENT" | "");
                let place = self.header.iter().position(|own| own.keyword() == card.keyword());
                match place.filter(|_| !remark).and_then(|index| self.header.get_mut(index)) {
                    Some(own) => *own = card,
                    None => self.header.push(card),
                }
            }
        }
    )*};
}

units!(Fits: Hdu, HduData; v1_0_0::Fits: v1_0_0::Hdu, OldData);

impl Hdu {
    /// Returns the table, if the HDU holds one.
    #[must_use]
    pub fn table(&self) -> Option<&Table> {
        match self.contents()? {
            HduData::Table(table) => Some(table),
            HduData::NdArray(_) => None,
        }
    }
}
