//! A codec on the command line.

use asdf_core::Compression;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command};

/// Parses a codec and its level, `zlib:9`. The help and shells list the names of the codecs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CodecParser;

const NAMES: [&str; 9] = ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "xz", "blsc", "bls2"];

impl TypedValueParser for CodecParser {
    type Value = Compression;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        let parse = |text: String| text.parse::<Compression>();
        StringValueParser::new().try_map(parse).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(NAMES.into_iter().map(PossibleValue::new)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_codec() {
        for name in NAMES {
            assert_eq!(name.parse::<Compression>().unwrap().to_string(), name);
        }
    }
}
