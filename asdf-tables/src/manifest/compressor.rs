//! The codecs of numcodecs that decode the stored bytes of blocks.

use serde_json::{Value as Json, json};

/// How the chunks of an array are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compressor {
    None,
    Zlib,
    Bz2,
    Zstd,
    Lzma,
    Lz4,
    Blosc,
}

impl Compressor {
    /// Returns the name for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "no compression",
            Self::Zlib => "zlib",
            Self::Bz2 => "bzp2",
            Self::Zstd => "zstd",
            Self::Lzma => "xz",
            Self::Lz4 => "lz4",
            Self::Blosc => "blsc",
        }
    }

    /// Returns the configuration of the codec. Levels have no meaning for decoding, but some readers require them.
    pub(super) fn json(self) -> Json {
        match self {
            Self::None => Json::Null,
            Self::Zlib => json!({"id": "zlib", "level": 1}),
            Self::Bz2 => json!({"id": "bz2", "level": 1}),
            Self::Zstd => json!({"id": "zstd", "level": 0}),
            Self::Lzma => json!({"id": "lzma", "format": 1, "check": -1, "preset": null, "filters": null}),
            Self::Lz4 => json!({"id": "lz4", "acceleration": 1}),
            Self::Blosc => {
                json!({"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0})
            }
        }
    }
}
