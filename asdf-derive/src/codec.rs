//! The compression of blocks: `codec = "zlib:9"`.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::LitStr;

/// The codec of a block.
pub(crate) struct Codec {
    /// The label; `None` for uncompressed blocks.
    label: Option<[u8; 4]>,
    level: Option<u32>,
    place: Span,
}

impl Codec {
    /// Parses text such as "zlib:9".
    pub(crate) fn parse(text: &LitStr) -> syn::Result<Self> {
        let wrong = |message: String| Err(syn::Error::new_spanned(text, message));
        let value = text.value();
        let (name, level) = match value.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None => (value.as_str(), None),
        };
        let mut label = [0_u8; 4];
        match label.get_mut(..name.len()) {
            Some(start) if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic()) => {
                start.copy_from_slice(name.as_bytes());
            }
            _ => {
                return wrong(format!(
                    "found the codec \"{name}\", expected one to four ASCII characters, such as \"lz4\" or \"zlib:9\""
                ));
            }
        }
        let label = (name != "none").then_some(label);
        let level = match (label, level) {
            (_, None) => None,
            (None, Some(_)) => return wrong("`none` has no compression level; write \"none\"".to_owned()),
            (_, Some(level)) => match level.parse() {
                Ok(number) if level.bytes().all(|byte| byte.is_ascii_digit()) => Some(number),
                _ => {
                    return wrong(format!(
                        "found the compression level \"{level}\", expected a number, such as \"{name}:9\""
                    ));
                }
            },
        };
        Ok(Self { label, level, place: text.span() })
    }

    /// The method calls that turn `Compression::NONE` into this compression.
    pub(crate) fn tokens(&self) -> TokenStream {
        let Some([a, b, c, d]) = self.label else { return TokenStream::new() };
        let level = self.level.map(|level| quote_spanned!(self.place=> .with_level(#level)));
        quote_spanned!(self.place=> .with_label([#a, #b, #c, #d])#level)
    }

    /// An item that asserts that the codec supports the level, if it is a codec of asdf-core.
    pub(crate) fn assertion(&self) -> Option<TokenStream> {
        let ([a, b, c, d], level) = (self.label?, self.level?);
        Some(quote_spanned! {self.place=>
            const _: () = __asdf::block::require_level([#a, #b, #c, #d], #level);
        })
    }
}
