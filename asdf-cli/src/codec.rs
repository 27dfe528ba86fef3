//! Codecs on the command line.

use asdf_core::Compression;

use crate::suggested::Suggested;

/// Parses a codec and its level, as in `zlib:9`.
pub(crate) const CODEC: Suggested<Compression> = Suggested {
    parse: |text| text.parse().map_err(|error: asdf_core::Error| error.to_string()),
    names: || NAMES.to_vec(),
};

const NAMES: [&str; 9] = ["none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "xz", "blsc", "bls2"];

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
