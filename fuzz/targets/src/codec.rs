//! Every codec: any bytes decode to the declared size or not at all, and what is encoded decodes to the same.

use asdf_core::block::Label;
use asdf_core::block::codec::{self, Codec, Encoding};
use asdf_core::source::{Bytes, MemorySource};
use asdf_core::threads::Threads;

const LABELS: [Label; 8] =
    [Label::ZLIB, Label::BZP2, Label::LZ4, Label::LZ4F, Label::ZSTD, Label::XZ, Label::BLSC, Label::BLS2];

pub fn run(data: &[u8]) {
    let Some((&[how, low, high], rest)) = data.split_first_chunk() else { return };
    let codec = codec::find(LABELS[usize::from(how % 8)]).expect("all codecs are enabled");
    if how < 128 {
        decode(codec, rest, u64::from(u16::from_le_bytes([low, high])));
    } else {
        encode(codec, rest, low, high);
    }
}

/// Decodes bytes whole, from a source, and in part.
fn decode(codec: &dyn Codec, stored: &[u8], size: u64) {
    let source = MemorySource::new(Bytes::copy_from_slice(stored));
    let from = codec.decode_from(&source, size, Threads::ONE);
    match codec.decode(stored, size) {
        Ok(all) => {
            assert_eq!(all.len() as u64, size);
            assert!(from.is_ok_and(|from| from == all), "a source decodes to something else");
            let range = size / 3..size - size / 5;
            // Part of a stream that decodes as a whole decodes to the same bytes.
            if let Some(piece) = codec.decode_range(&source, size, range.clone()).expect("a part decodes") {
                let start = usize::try_from(piece.start).expect("small");
                assert!(piece.start <= range.start && piece.start + piece.data.len() as u64 >= range.end);
                assert_eq!(all[start..][..piece.data.len()], piece.data);
            }
        }
        Err(error) => {
            assert!(from.is_err_and(|from| from.kind() == error.kind()), "{error}, but a source decodes");
            assert!(error.to_string().len() < 1000, "{error}");
            let _ = codec.decode_range(&source, size, size / 3..size - size / 5);
        }
    }
}

/// Encodes bytes, possibly repeated, and decodes them.
fn encode(codec: &dyn Codec, data: &[u8], level: u8, repeats: u8) {
    let data = data.repeat(1 + usize::from(repeats) % 16);
    let label = codec.label();
    let mut encoding = Encoding::new().with_rows(u64::from(level % 9), u64::from(repeats % 5) * 8);
    // High levels take a thousand times as long, for the same format.
    let level = u32::from(level % 4);
    if label.levels().is_some_and(|levels| levels.contains(&level)) {
        encoding = encoding.with_level(level);
    }
    let stored = codec.encode(&data, &encoding).expect("any bytes can be encoded");
    decode(codec, &stored, data.len() as u64);
    assert!(codec.decode(&stored, data.len() as u64).expect("what was encoded decodes") == data);
    let mut pieces = Vec::new();
    let mut keep = |piece: Bytes| {
        pieces.extend_from_slice(&piece);
        Ok(())
    };
    codec.encode_pieces(&data, &encoding, &mut keep).expect("encodes");
    assert!(codec.decode(&pieces, data.len() as u64).expect("pieces decode") == data);
}
