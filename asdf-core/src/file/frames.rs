//! The frames of a compressed block.

use super::block::FileBlock;
use super::window::Window;
use crate::block::codec::Frame;
use crate::error::{Error, Result};

impl FileBlock {
    /// Returns the frames of the block, which decode without each other, in the order of the data.
    ///
    /// Programs that know the inner codec can decode each frame. [`Frame::stored`] says which bytes that are. `None` if the
    /// block is not compressed, or if it can only be decoded as a whole by other programs. `lz4` has frames; a `zstd` block
    /// is one frame even if its [chunks](crate::block::codec#frames-of-rows) decode alone. Only sizes are read; nothing is
    /// decoded.
    ///
    /// [`Frame::stored`] is a range of bytes of the file, and [`Frame::data`] a range of bytes of the block's data. The
    /// frames are checked: their data follow each other from 0 to `data_size` without gaps, and their stored bytes are
    /// inside the stored bytes of the block and do not overlap. Damage inside a frame is found when it is decoded.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{Compression, File, NdArray, WriteOptions};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3, 4], &[7_u8; 12])?)?;
    /// let options = WriteOptions::new().compression(Compression::LZ4).frame_rows(2);
    /// let bytes = options.to_bytes(&file)?;
    ///
    /// let file = File::from_bytes(bytes.clone())?;
    /// let frames = file.blocks()?[0].frames()?.unwrap_or_default();
    /// assert_eq!(frames.iter().map(|frame| frame.data.clone()).collect::<Vec<_>>(), [0..8, 8..12]);
    /// let stored = usize::try_from(frames[1].stored.start).unwrap();
    /// assert_eq!(bytes[stored..stored + 4], 4_u32.to_le_bytes()); // the decoded size, then an LZ4 block
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the sizes of the frames contradict each other or the block header, or if there are more than 1,048,576
    /// frames. Also fails if the build has no codec for the block, or if the source cannot be read.
    pub fn frames(&self) -> Result<Option<Vec<Frame>>> {
        let stored = self.stored_range()?;
        if !self.is_encoded() || self.encoding.is_some() {
            return Ok(None);
        }
        let (start, length) = (stored.start, stored.end - stored.start);
        let size = self.header().data_size;
        let codecs = self.reading.codecs();
        let frames = codecs
            .find(self.header().compression)
            .and_then(|codec| codec.frames(&Window::new(self.source(), stored), size))
            .and_then(|frames| frames.map(|frames| checked(frames, length, size)).transpose())
            .map_err(|error| self.undecodable(error))?;
        let in_file = |frame: Frame| Frame {
            stored: start + frame.stored.start..start + frame.stored.end,
            data: frame.data,
        };
        Ok(frames.map(|frames| frames.into_iter().map(in_file).collect()))
    }
}

/// Checks frames, which can come from a codec of another crate, against `length` stored bytes and `size` bytes of data.
fn checked(frames: Vec<Frame>, length: u64, size: u64) -> Result<Vec<Frame>> {
    let (mut at, mut before) = (0, 0);
    for Frame { stored, data } in &frames {
        let fits = at <= stored.start && stored.start <= stored.end && stored.end <= length;
        if !fits || data.start != before || data.end < before {
            return Err(Error::malformed(format!(
                "found a frame of the stored bytes {stored:?} for the data {data:?}, expected stored bytes from {at} to at \
                 most {length}, and data from {before} on"
            )));
        }
        (at, before) = (stored.end, data.end);
    }
    if before != size {
        return Err(Error::malformed(format!("the frames hold {before} bytes, expected {size}")));
    }
    Ok(frames)
}

#[cfg(test)]
#[cfg(all(feature = "lz4", feature = "zstd", feature = "zlib"))]
mod tests {
    use std::ops::Range;
    use std::sync::Arc;

    use super::*;
    use crate::array::{ChunkedArray, Datatype, Slice};
    use crate::block::codec::LARGEST_PART;
    use crate::block::{Codec, Compression, Label, codec};
    use crate::error::{Code, Kind};
    use crate::source::{Recording, Source};
    use crate::{File, NdArray, OpenOptions, WriteOptions};

    /// Numbers that compress a little.
    fn numbers(count: usize) -> Vec<u32> {
        (0..u32::try_from(count).unwrap()).map(|i| i.wrapping_mul(2_654_435_761) >> 12).collect()
    }

    fn image(rows: u64, columns: u64) -> NdArray {
        let count = usize::try_from(rows * columns).unwrap();
        NdArray::from_vec(&[rows, columns], numbers(count)).unwrap()
    }

    fn with(array: &NdArray) -> File {
        let mut file = File::new();
        file.set("/data", array).unwrap();
        file
    }

    fn reopened(options: &WriteOptions, file: &File) -> File {
        File::from_bytes(options.to_bytes(file).unwrap()).unwrap()
    }

    /// The sizes of the frames of a block's data.
    fn sizes(file: &File, number: usize) -> Vec<u64> {
        let frames = file.blocks().unwrap()[number].frames().unwrap().unwrap();
        frames.iter().map(|frame| frame.data.end - frame.data.start).collect()
    }

    fn in_frames(compression: Compression, rows: u64) -> WriteOptions {
        WriteOptions::new().compression(compression).frame_rows(rows)
    }

    #[test]
    fn frames_hold_whole_rows() {
        for (rows, expected) in
            [(1, vec![28; 10]), (3, vec![84, 84, 84, 28]), (9, vec![252, 28]), (10, vec![280])]
        {
            let file = reopened(&in_frames(Compression::LZ4, rows), &with(&image(10, 7)));
            assert_eq!(sizes(&file, 0), expected, "{rows}");
            assert_eq!(file.array("/data").unwrap().read::<u32>().unwrap(), numbers(70));
            assert_eq!(sizes(&reopened(&in_frames(Compression::LZ4, u64::MAX), &file), 0), [280]);
        }
        // A cube has planes as rows, and a line its elements.
        let cube = NdArray::from_vec(&[4, 3, 2], numbers(24)).unwrap();
        assert_eq!(sizes(&reopened(&in_frames(Compression::LZ4, 3), &with(&cube)), 0), [72, 24]);
        let line = NdArray::from_vec(&[24], numbers(24)).unwrap();
        assert_eq!(sizes(&reopened(&in_frames(Compression::LZ4, 10), &with(&line)), 0), [40, 40, 16]);
    }

    #[test]
    fn each_frame_decodes_alone() {
        let file = reopened(&in_frames(Compression::LZ4, 3), &with(&image(10, 700)));
        let bytes = file.to_bytes().unwrap();
        let data: Vec<u8> = numbers(7000).iter().flat_map(|n| n.to_le_bytes()).collect();
        for Frame { stored, data: range } in file.blocks().unwrap()[0].frames().unwrap().unwrap() {
            let place = |at: u64| usize::try_from(at).unwrap();
            let stored = &bytes[place(stored.start)..place(stored.end)];
            let found = lz4_flex::block::decompress_size_prepended(stored).unwrap();
            assert!(found == data[place(range.start)..place(range.end)]);
        }
    }

    #[test]
    fn compressed_blocks_are_encoded_again() {
        for compression in [Compression::LZ4, Compression::ZSTD, Compression::BLS2] {
            let Ok(_) = codec::find(compression.label()) else { continue };
            let whole = reopened(&WriteOptions::new().compression(compression), &with(&image(10, 700)));
            let expected = in_frames(compression, 2).to_bytes(&with(&image(10, 700))).unwrap();
            for again in [WriteOptions::new().frame_rows(2), in_frames(compression, 2)] {
                assert!(again.to_bytes(&whole).unwrap() == expected, "{compression}");
            }
        }
        let zlib = reopened(&WriteOptions::new().compression(Compression::ZLIB), &with(&image(10, 7)));
        assert!(WriteOptions::new().frame_rows(2).to_bytes(&zlib).unwrap() == zlib.to_bytes().unwrap());
        let plain = with(&image(10, 7));
        assert!(WriteOptions::new().frame_rows(2).to_bytes(&plain).unwrap() == plain.to_bytes().unwrap());
        assert!(
            reopened(&WriteOptions::new().frame_rows(2), &plain).blocks().unwrap()[0]
                .frames()
                .unwrap()
                .is_none()
        );
    }

    #[test]
    fn damaged_blocks_are_not_encoded_again() {
        let mut bytes = in_frames(Compression::LZ4, 2).to_bytes(&with(&image(10, 7))).unwrap();
        let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
        let last = usize::try_from(block.stored_range().unwrap().end - 1).unwrap();
        bytes[last] ^= 1;
        let file = File::from_bytes(bytes).unwrap();
        let error = WriteOptions::new().frame_rows(3).to_bytes(&file).unwrap_err();
        assert_eq!((error.code(), error.path()), (Some(Code::Checksum), Some("/data")));
        assert!(WriteOptions::new().frame_rows(3).accept_damage(true).to_bytes(&file).is_ok());
        assert!(file.to_bytes().is_ok());
    }

    #[test]
    fn other_arrays_are_left_as_they_are() {
        let mut file = File::new();
        let whole = image(10, 7);
        let rows = |slice: &str| whole.slice(&Slice::parse(slice).unwrap()).unwrap();
        file.set("/part", &rows("2:5")).unwrap();
        file.set("/turned", &rows("::-1")).unwrap();
        file.set("/one", &image(1, 9)).unwrap();
        file.set("/empty", &image(0, 9)).unwrap();
        let mut sky = ChunkedArray::new(Datatype::Uint32, &[10, 9]);
        sky.push(&[0, 0], image(10, 9)).unwrap();
        file.set("/sky", &sky).unwrap();
        let expected = WriteOptions::new().compression(Compression::LZ4).to_bytes(&file).unwrap();
        assert!(in_frames(Compression::LZ4, 2).to_bytes(&file).unwrap() == expected);
        // The first array that fills the block counts, not the first one.
        file.set("/whole", &whole).unwrap();
        let frames = sizes(&reopened(&in_frames(Compression::LZ4, 4), &file), 0);
        assert_eq!(frames, [112, 112, 56]);
    }

    #[test]
    fn frames_beyond_the_limit_are_refused() {
        let rows = LARGEST_PART as u64 / 1024;
        let file = with(&image(rows + 1, 256));
        assert_eq!(sizes(&reopened(&in_frames(Compression::LZ4, rows), &file), 0).len(), 2);
        let error = in_frames(Compression::LZ4, rows + 1).to_bytes(&file).unwrap_err();
        assert_eq!((error.kind(), error.path()), (Kind::Usage, Some("/data")));
        assert!(
            error.to_string().contains(&format!("frames of {} rows with 1049600 bytes", rows + 1)),
            "{error}"
        );
        let error = in_frames(Compression::LZ4, 0).to_bytes(&file).unwrap_err();
        assert!(error.message().contains("found 0 rows"), "{error}");
    }

    #[test]
    fn a_slice_reads_only_its_frames() {
        // Rows of 64 kB, and frames of two rows.
        let data = image(64, 16_000);
        for compression in [Compression::LZ4, Compression::ZSTD] {
            let bytes = in_frames(compression, 2).to_bytes(&with(&data)).unwrap();
            let source = Arc::new(Recording::new(bytes.clone()));
            let file = OpenOptions::new().open_source(source.clone()).unwrap();
            let block = file.blocks().unwrap()[0].clone();
            let stored = block.stored_range().unwrap();
            let frame = (stored.end - stored.start) / 32;
            source.take();
            let slice = file.array("/data").unwrap().slice(&Slice::parse("40:42, :100").unwrap()).unwrap();
            assert_eq!(
                slice.read::<u32>().unwrap()[100..],
                numbers(1_024_000)[41 * 16_000..41 * 16_000 + 100]
            );
            let ranges = source.take();
            let read: u64 = ranges.iter().map(|range| range.end - range.start).sum();
            // The heads before the frame, in steps of 4096 bytes; the table; one frame.
            assert!(read < 24 * 4096 + frame * 5 / 4, "{compression}: {read} of {frame}: {ranges:?}");
            assert!(ranges.iter().filter(|range| range.end - range.start > 4096).count() <= 1, "{ranges:?}");
        }
    }

    #[test]
    fn heads_that_lie_are_refused() {
        let bytes = in_frames(Compression::LZ4, 2).to_bytes(&with(&image(6, 7))).unwrap();
        let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
        let first = usize::try_from(block.stored_range().unwrap().start).unwrap();
        let frames = |bytes: Vec<u8>| File::from_bytes(bytes).unwrap().blocks().unwrap()[0].frames();
        assert_eq!(frames(bytes.clone()).unwrap().unwrap().len(), 3);
        // The length and the size of the first chunk, and the size in the header of the block.
        for at in (first..first + 8).chain(first - 24..first - 16) {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            let error = frames(bytes).unwrap_err();
            assert_eq!(
                (error.kind(), error.code()),
                (Kind::Malformed, Some(Code::Undecodable)),
                "{}",
                at - first
            );
            assert!(error.message().starts_with("block 0: "), "{error}");
        }
    }

    #[test]
    fn the_number_of_frames_is_limited() {
        let frames = |rows| {
            let file = reopened(&in_frames(Compression::LZ4, 1), &with(&image(rows, 7)));
            file.blocks().unwrap()[0].frames()
        };
        assert_eq!(frames(64).unwrap().unwrap().len(), 64);
        assert_eq!(frames(65).unwrap_err().kind(), Kind::Limit);
    }

    /// A codec whose frames are those that it was made with.
    #[derive(Debug)]
    struct Claims(Vec<Frame>);

    impl Codec for Claims {
        fn label(&self) -> Label {
            Label::new(*b"clm\0")
        }

        fn encode(&self, data: &[u8], _how: &codec::Encoding) -> Result<Vec<u8>> {
            Ok(data.to_vec())
        }

        fn decode(&self, stored: &[u8], _data_size: u64) -> Result<Vec<u8>> {
            Ok(stored.to_vec())
        }

        fn frames(&self, _stored: &dyn Source, _data_size: u64) -> Result<Option<Vec<Frame>>> {
            Ok(Some(self.0.clone()))
        }

        fn max_expansion(&self) -> u64 {
            1
        }
    }

    #[test]
    fn frames_of_other_codecs_are_checked() {
        let frame = |stored: Range<u64>, data: Range<u64>| Frame { stored, data };
        let frames = |frames: Vec<Frame>| {
            let codec = Arc::new(Claims(frames));
            let options =
                WriteOptions::new().codec(codec.clone()).compression(Compression::new(codec.label()));
            let array = NdArray::from_vec(&[10], vec![1_u8; 10]).unwrap();
            let file =
                OpenOptions::new().codec(codec).open_bytes(options.to_bytes(&with(&array)).unwrap()).unwrap();
            let block = file.blocks().unwrap()[0].clone();
            (block.stored_range().unwrap().start, block.frames())
        };
        let (start, found) = frames(vec![frame(0..4, 0..5), frame(6..10, 5..10)]);
        assert_eq!(
            found.unwrap().unwrap(),
            [frame(start..start + 4, 0..5), frame(start + 6..start + 10, 5..10)]
        );
        for wrong in [
            vec![],
            vec![frame(0..4, 0..5)],
            vec![frame(0..11, 0..10)],
            vec![frame(0..4, 0..5), frame(3..10, 5..10)],
            vec![frame(0..4, 0..5), frame(4..10, 6..10)],
            vec![frame(0..4, 0..5), frame(4..10, 5..11)],
            vec![frame(4..10, 5..10), frame(0..4, 0..5)],
            vec![frame(Range { start: 5, end: 4 }, 0..10)],
        ] {
            let error = frames(wrong.clone()).1.unwrap_err();
            assert_eq!(error.kind(), Kind::Malformed, "{wrong:?}");
        }
    }
}
