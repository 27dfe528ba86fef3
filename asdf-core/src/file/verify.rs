//! Checks of the blocks: headers, checksums, and whether they decode.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bytes::Bytes;

use super::File;
use super::block::FileBlock;
use crate::block::{Checksum, Md5, md5, md5_each, md5_of};
use crate::error::{Code, Error, Result};
use crate::source::{MemorySource, Source};
use crate::tree::{Block as _, NodeRef};

/// The bytes that are read and hashed at a time.
const PIECE: usize = 256 << 10;

/// The same if a read takes long.
const LARGE_PIECE: usize = 8 << 20;

/// Compressed blocks are read until their stored bytes reach this size.
const TOGETHER: usize = 64 << 20;

impl FileBlock {
    /// Compares the checksum in the header with the data.
    ///
    /// The stored bytes are read in pieces. If they do not match, a compressed block is read again and decoded, because the
    /// checksum may be that of the decoded bytes. The data are not kept.
    ///
    /// # Errors
    /// Fails if the block cannot be read. A checksum mismatch is not an error, but a result.
    pub fn checksum(&self) -> Result<Checksum> {
        Ok(self.checksum_until(None)?.unwrap_or(Checksum::Absent))
    }

    /// The same with a deadline, which is checked after every 256 KiB; `None` if it passed.
    fn checksum_until(&self, end: Option<Instant>) -> Result<Option<Checksum>> {
        match self.stored_checksum(end)? {
            Some(Checksum::Wrong { expected, found }) if self.is_encoded() => {
                Checksum::compare(expected, found, || Ok(Some(md5(&self.decode_once()?)))).map(Some)
            }
            found => Ok(found),
        }
    }

    /// Compares the checksum with the stored bytes only, which are not decoded.
    pub(super) fn stored_checksum(&self, end: Option<Instant>) -> Result<Option<Checksum>> {
        let range = self.stored_range()?;
        let expected = self.header().checksum;
        if expected == [0; 16] {
            return Ok(Some(Checksum::Absent));
        }
        let mut digest = Md5::new();
        let most = if self.source().cost().is_high() { LARGE_PIECE } else { PIECE };
        let mut piece = vec![0; usize::try_from(range.end - range.start).unwrap_or(most).min(most)];
        let mut at = range.start;
        while at < range.end {
            if end.is_some_and(|end| Instant::now() > end) {
                return Ok(None);
            }
            let left = usize::try_from(range.end - at).unwrap_or(most);
            let piece = piece.get_mut(..left.min(most)).unwrap_or_default();
            self.source().read_into(at, piece)?;
            digest.update(piece);
            at += piece.len() as u64;
        }
        Checksum::compare(expected, digest.finish(), || Ok(None)).map(Some)
    }

    /// Checks the header and the checksum of the block, and whether it decodes.
    ///
    /// The stored bytes are read once. An uncompressed block is read in pieces; a compressed one is in memory with its
    /// stored and its decoded bytes, which are not kept.
    ///
    /// # Errors
    /// Returns the first fault.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, NdArray};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
    /// let file = File::from_bytes(file.to_bytes()?)?;
    /// for block in file.blocks()? {
    ///     assert!(block.verify()?.is_ok());
    /// }
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn verify(&self) -> Result<Checksum> {
        Ok(self.verified(None)?.unwrap_or(Checksum::Absent))
    }

    /// Checks the block as [`verify`](Self::verify) does, up to a deadline; returns `None` if it passed.
    ///
    /// The deadline is checked after every 256 KiB that are hashed, and between the steps of decoding. Reading the stored
    /// bytes of a compressed block is one step, and so is decoding with `blsc` or with a codec of the program.
    ///
    /// # Errors
    /// See [`verify`](Self::verify).
    pub fn verify_until(&self, end: Instant) -> Result<Option<Checksum>> {
        self.verified(Some(end))
    }

    fn verified(&self, end: Option<Instant>) -> Result<Option<Checksum>> {
        if !self.is_encoded() {
            let found = self.checksum_until(end)?;
            return found.map(|found| self.matching(found)).transpose();
        }
        let stored = self.stored_bytes()?;
        let Some(end) = end else {
            let digest = self.digest(&stored);
            return self.verify_encoded(&MemorySource::new(stored), digest).map(Some);
        };
        let mut digest = Md5::new();
        for piece in stored.chunks(PIECE).filter(|_| self.has_checksum()) {
            if Instant::now() > end {
                return Ok(None);
            }
            digest.update(piece);
        }
        let stored = Until { stored: MemorySource::new(stored), end, over: AtomicBool::new(false) };
        let found = self.verify_encoded(&stored, digest.finish());
        if stored.over.load(Ordering::Relaxed) { Ok(None) } else { found.map(Some) }
    }

    /// Checks the stored bytes of an encoded block, with their digest if it has a checksum.
    fn verify_encoded(&self, stored: &dyn Source, digest: [u8; 16]) -> Result<Checksum> {
        let (found, data) = self.compare(stored, digest)?;
        data.map_err(|error| self.with_mismatch(error, found))?;
        self.matching(found)
    }

    fn decode_once(&self) -> Result<Bytes> {
        self.decode(&MemorySource::new(self.stored_bytes()?))
    }
}

/// Stored bytes that are decoded up to a deadline.
#[derive(Debug)]
struct Until {
    stored: MemorySource,
    end: Instant,
    /// Whether the deadline had passed at a check.
    over: AtomicBool,
}

impl Source for Until {
    fn len(&self) -> u64 {
        self.stored.len()
    }

    fn wanted(&self) -> Result<()> {
        if Instant::now() <= self.end {
            return Ok(());
        }
        self.over.store(true, Ordering::Relaxed);
        Err(Error::limit("timed out"))
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        self.stored.read(range)
    }
}

impl File {
    /// Returns an error if the checksum of a block does not match.
    ///
    /// For programs that write the data again with new checksums, which would hide the damage.
    ///
    /// # Errors
    /// Fails if a checksum does not match, with the path of the first array in the block. Fails if a block cannot be
    /// read.
    pub fn refuse_damage(&self) -> Result<()> {
        for block in self.suspects(|_| true)? {
            let Err(error) = block.checksum().and_then(|found| block.matching(found)) else { continue };
            let mut walk = self.tree().root().map(NodeRef::walk);
            while let Some(walk) = &mut walk {
                let Some(node) = walk.next() else { break };
                let number = node.block_reference().and_then(NodeRef::as_i64);
                if number.is_some_and(|number| u64::try_from(number) == Ok(block.number())) {
                    return Err(self.named(error.at_path(walk.path().as_str())));
                }
            }
            return Err(self.named(error));
        }
        Ok(())
    }

    /// Reports damage of blocks that are copied with their checksums, or refuses it, if the file was opened so.
    pub(super) fn check_copied(&self, numbers: &BTreeSet<u64>) -> Result<()> {
        let checks = self.blocks.as_ref().is_some_and(|blocks| blocks.reading().checks.is_any());
        let suspects = match checks {
            true => self.suspects(|block| numbers.contains(&block.number()))?,
            false => Vec::new(),
        };
        suspects.iter().try_for_each(|block| match block.damage() {
            Err(error) if error.code() == Some(Code::Checksum) => Err(error),
            // What cannot be read is copied as it is.
            _ => Ok(()),
        })
    }

    /// Returns the blocks whose stored bytes do not match the checksum, or cannot be read.
    fn suspects(&self, wanted: impl Fn(&FileBlock) -> bool) -> Result<Vec<Arc<FileBlock>>> {
        let (mut checked, mut suspects) = (Vec::new(), Vec::new());
        for block in self.blocks()?.into_iter().filter(|block| block.has_checksum() && wanted(block)) {
            match block.stored_range() {
                Ok(range) => checked.push((block, range)),
                Err(_) => suspects.push(block),
            }
        }
        let lengths: Vec<u64> = checked.iter().map(|(_, range)| range.end - range.start).collect();
        let digests = md5_each(&lengths, self.threads(), |job, offset, out| match checked.get(job) {
            Some((block, range)) => block.source().read_into(range.start + offset, out),
            None => Ok(()),
        });
        for ((block, _), digest) in checked.iter().zip(digests) {
            if !digest.is_ok_and(|digest| digest == block.header().checksum) {
                suspects.push(block.clone());
            }
        }
        suspects.sort_by_key(|block| block.number());
        Ok(suspects)
    }

    /// Checks all blocks of the opened file as [`FileBlock::verify`] does, and returns a result for each.
    ///
    /// This is many times faster than checking the blocks one by one. The checksums of many blocks are computed at the
    /// same time, on the [threads](super::OpenOptions::threads) that the file was opened with. Each block is read once.
    ///
    /// Uncompressed data take about a megabyte of memory per thread. Compressed blocks are read in groups of about
    /// 64 MiB, then decoded one after the other. The data are not kept.
    ///
    /// # Errors
    /// See [`blocks`](Self::blocks). The fault of a block is the result of that block.
    ///
    /// # Examples
    /// ```
    /// use asdf_core::{File, NdArray};
    ///
    /// let mut file = File::new();
    /// file.set("/data", &NdArray::new(&[3], &[1_u8, 2, 3])?)?;
    /// let mut bytes = file.to_bytes()?;
    /// assert!(File::from_bytes(bytes.clone())?.verify()?[0].is_ok());
    /// let at = bytes.windows(3).position(|part| part == [1, 2, 3]).unwrap();
    /// bytes[at] = 0;
    /// let damaged = File::from_bytes(bytes)?.verify()?;
    /// assert_eq!(damaged[0].as_ref().unwrap_err().code(), Some(asdf_core::error::Code::Checksum));
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    #[doc(alias = "validate_checksums")]
    pub fn verify(&self) -> Result<Vec<Result<Checksum>>> {
        let blocks = self.blocks()?;
        let mut verdicts = Vec::with_capacity(blocks.len());
        let (mut plain, mut encoded) = (Vec::new(), Vec::new());
        for (block, number) in blocks.iter().zip(0_usize..) {
            match block.stored_range() {
                Err(error) => verdicts.push((number, Err(error))),
                Ok(range) if block.is_encoded() => encoded.push((number, block, range)),
                Ok(range) if block.has_checksum() => plain.push((number, block, range)),
                Ok(_) => verdicts.push((number, Ok(Checksum::Absent))),
            }
        }
        let lengths: Vec<u64> = plain.iter().map(|(_, _, range)| range.end - range.start).collect();
        let digests = md5_each(&lengths, self.threads(), |job, offset, out| match plain.get(job) {
            Some((_, block, range)) => block.source().read_into(range.start + offset, out),
            None => Ok(()),
        });
        for ((number, block, _), digest) in plain.iter().zip(digests) {
            let compare = |digest| Checksum::compare(block.header().checksum, digest, || Ok(None));
            let found = digest.and_then(compare).and_then(|found| block.matching(found));
            verdicts.push((*number, found));
        }
        let mut encoded = encoded.into_iter().peekable();
        while encoded.peek().is_some() {
            let (mut some, mut size) = (Vec::new(), 0);
            while let Some((number, block, range)) = encoded.next_if(|_| size < TOGETHER) {
                match block.source().read(range) {
                    Ok(stored) => {
                        size += stored.len();
                        some.push((number, block, stored));
                    }
                    Err(error) => verdicts.push((number, Err(error))),
                }
            }
            // Blocks without a checksum get the digest of no bytes, which is not used.
            let bytes = some
                .iter()
                .map(|(_, block, stored)| if block.has_checksum() { stored.clone() } else { Bytes::new() });
            let digests = md5_of(&bytes.collect::<Vec<Bytes>>(), self.threads());
            for ((number, block, stored), digest) in some.into_iter().zip(digests) {
                let stored = MemorySource::new(stored);
                verdicts.push((number, digest.and_then(|digest| block.verify_encoded(&stored, digest))));
            }
        }
        verdicts.sort_by_key(|(number, _)| *number);
        Ok(verdicts.into_iter().map(|(_, verdict)| verdict).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::sync::atomic::AtomicU64;
    use std::time::Duration;

    use super::*;
    use crate::array::NdArray;
    use crate::file::{OpenOptions, WriteOptions};
    use crate::source::Source;

    /// Counts the bytes that are read.
    #[derive(Debug)]
    struct Counting(Bytes, AtomicU64);

    impl Source for Counting {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read(&self, range: Range<u64>) -> Result<Bytes> {
            self.1.fetch_add(range.end - range.start, Ordering::Relaxed);
            MemorySource::new(self.0.clone()).read(range)
        }
    }

    /// A file with a block of each kind, and the stored bytes of each.
    fn sample() -> (Bytes, Vec<u64>) {
        static MADE: LazyLock<(Bytes, Vec<u64>)> = LazyLock::new(make_sample);
        MADE.clone()
    }

    fn make_sample() -> (Bytes, Vec<u64>) {
        let data: Vec<u32> = (0..50_000_u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).collect();
        let mut file = File::new();
        file.set("/plain", &NdArray::new(&[50_000], &data).unwrap()).unwrap();
        #[cfg(feature = "zlib")]
        for name in ["/one", "/two"] {
            let array = NdArray::new(&[50_000], &data).unwrap();
            file.set(name, &array.with_compression(crate::Compression::ZLIB).unwrap()).unwrap();
        }
        let bytes = Bytes::from(WriteOptions::new().to_bytes(&file).unwrap());
        let blocks = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap();
        (bytes, blocks.iter().map(|block| block.header().used_size).collect())
    }

    /// The number of bytes that are read after the file was opened and its blocks were found.
    fn read_by(check: bool, work: impl FnOnce(&File)) -> u64 {
        let source = Arc::new(Counting(sample().0, AtomicU64::new(0)));
        let options = OpenOptions::new().verify_checksums(check);
        let file = options.open_source(source.clone()).unwrap();
        file.blocks().unwrap();
        let before = source.1.load(Ordering::Relaxed);
        work(&file);
        source.1.load(Ordering::Relaxed) - before
    }

    #[test]
    fn each_block_is_read_once() {
        let sizes = sample().1;
        let total: u64 = sizes.iter().sum();
        assert_eq!(read_by(false, |file| assert!(file.verify().unwrap().iter().all(Result::is_ok))), total);
        for (number, &size) in sizes.iter().enumerate() {
            let of = |check: bool, work: fn(&FileBlock)| {
                read_by(check, |file| work(&file.blocks().unwrap()[number]))
            };
            assert_eq!(of(false, |block| assert!(block.verify().unwrap().is_ok())), size);
            // The first read checks the block; the second does not check it again.
            for check in [false, true] {
                assert_eq!(of(check, |block| drop(block.read(0..block.size()).unwrap())), size, "{check}");
                assert_eq!(of(check, |block| drop(block.decoded().unwrap())), size, "{check}");
                let mut out = vec![0; 200_000];
                assert_eq!(
                    read_by(check, |file| file.blocks().unwrap()[number].read_into(0, &mut out).unwrap()),
                    size
                );
            }
        }
        // Reading a part checks the whole block first, and then reads only that part.
        let parts = |block: &FileBlock| (0..4).for_each(|part| drop(block.read(part * 100..part * 100 + 10)));
        let part = read_by(true, |file| parts(&file.blocks().unwrap()[0]));
        assert_eq!(part, sizes[0] + 40);
    }

    /// A source with slow reads.
    #[derive(Debug)]
    struct Slow(Counting);

    impl Source for Slow {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read(&self, range: Range<u64>) -> Result<Bytes> {
            std::thread::sleep(Duration::from_millis(20));
            self.0.read(range)
        }
    }

    #[test]
    fn a_check_can_be_stopped_within_a_block() {
        let mut file = File::new();
        file.set("/large", &NdArray::new(&[8 << 20], &vec![7_u8; 8 << 20]).unwrap()).unwrap();
        let source = Arc::new(Slow(Counting(Bytes::from(file.to_bytes().unwrap()), AtomicU64::new(0))));
        let file = OpenOptions::new().open_source(source.clone()).unwrap();
        let block = file.blocks().unwrap()[0].clone();
        let before = source.0.1.load(Ordering::Relaxed);
        // 32 pieces, which take 640 milliseconds at least.
        let found = block.verify_until(Instant::now() + Duration::from_millis(50));
        assert_eq!(found.unwrap(), None);
        assert!(source.0.1.load(Ordering::Relaxed) - before < 8 << 20);
        assert_eq!(
            block.verify_until(Instant::now() + Duration::from_secs(600)).unwrap(),
            Some(Checksum::Stored)
        );
    }

    /// Every codec except `blsc` checks the deadline while it decodes.
    #[test]
    fn decoding_can_be_stopped() {
        let noise: Vec<u8> =
            (0..3_000_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect();
        let codecs = [
            ("zlib", cfg!(feature = "zlib")),
            ("bzp2", cfg!(feature = "bzp2")),
            ("lz4", cfg!(feature = "lz4")),
            ("lz4f", cfg!(feature = "lz4f")),
            ("zstd", cfg!(feature = "zstd")),
            ("xz", cfg!(feature = "xz")),
            ("bls2", cfg!(feature = "bls2")),
        ];
        for (name, _) in codecs.into_iter().filter(|(_, is_built)| *is_built) {
            let mut file = File::new();
            let array = NdArray::new(&[3_000_000], &noise).unwrap();
            file.set("/data", &array.with_compression(name.parse().unwrap()).unwrap()).unwrap();
            let bytes = file.to_bytes().unwrap();
            let file = File::from_bytes(bytes).unwrap();
            let block = &file.blocks().unwrap()[0];
            let late = Instant::now() + Duration::from_secs(600);
            assert_eq!(block.verify_until(late).unwrap(), Some(Checksum::Stored), "{name}");
            assert_eq!(block.verify_until(Instant::now()).unwrap(), None, "{name}");
            // Without a checksum, nothing is hashed before the first step of decoding.
            let bytes = WriteOptions::new().checksums(false).to_bytes(&file).unwrap();
            let block = File::from_bytes(bytes).unwrap().blocks().unwrap()[0].clone();
            assert_eq!(block.verify_until(late).unwrap(), Some(Checksum::Absent), "{name}");
            assert_eq!(block.verify_until(Instant::now()).unwrap(), None, "{name}");
        }
    }

    #[test]
    fn a_checksum_is_compared_even_if_no_codec_decodes_the_block() {
        let mut file = File::new();
        file.set("/a", &NdArray::new(&[4], &[1_u8, 2, 3, 4]).unwrap()).unwrap();
        let mut bytes = file.to_bytes().unwrap();
        let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
        let at = usize::try_from(block.offset()).unwrap();
        bytes[at + 10..at + 14].copy_from_slice(b"nope");
        for is_damaged in [false, true] {
            let data = usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap();
            bytes[data] ^= u8::from(is_damaged);
            let file = File::from_bytes(bytes.clone()).unwrap();
            let block = &file.blocks().unwrap()[0];
            assert_eq!(block.checksum().unwrap().is_ok(), !is_damaged);
            let late = Instant::now() + Duration::from_secs(600);
            let read = block.read(0..4).unwrap_err();
            let verified = file.verify().unwrap().remove(0).unwrap_err();
            for error in [read, verified, block.verify().unwrap_err(), block.verify_until(late).unwrap_err()]
            {
                let code = if is_damaged { Code::Checksum } else { Code::Codec };
                assert_eq!(error.code(), Some(code), "{error}");
                assert!(error.message().contains("nope"), "{error}");
            }
        }
    }

    /// As Python's asdf wrote it before 5.3.
    #[test]
    #[cfg(feature = "zlib")]
    fn a_checksum_may_be_that_of_the_decoded_bytes() {
        use crate::Compression;
        for (of_decoded, compression) in
            [(true, Compression::ZLIB), (false, Compression::ZLIB), (false, Compression::NONE)]
        {
            let mut file = File::new();
            let array = NdArray::new(&[4000], &[7_u8; 4000]).unwrap();
            file.set("/a", &array.with_compression(compression).unwrap()).unwrap();
            let mut bytes = file.to_bytes().unwrap();
            let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[0].clone();
            let at = usize::try_from(block.offset()).unwrap() + 38;
            let sum = if of_decoded { md5(&[7; 4000]) } else { [9; 16] };
            bytes[at..at + 16].copy_from_slice(&sum);
            let block = File::from_bytes(bytes).unwrap().blocks().unwrap()[0].clone();
            let found = block.checksum().unwrap();
            assert_eq!(found == Checksum::Decoded, of_decoded);
            assert_eq!(matches!(found, Checksum::Wrong { .. }), !of_decoded);
        }
    }

    #[test]
    fn damage_is_refused_with_the_path_of_the_first_array() {
        let mut file = File::new();
        for (name, value) in [("/a", 1_u8), ("/b", 2), ("/c", 3)] {
            file.set(name, &NdArray::new(&[100], &[value; 100]).unwrap()).unwrap();
        }
        let mut bytes = file.to_bytes().unwrap();
        let file = File::from_bytes(bytes.clone()).unwrap();
        file.refuse_damage().unwrap();
        let block = file.blocks().unwrap()[1].clone();
        bytes[usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap()] ^= 1;
        let error = File::from_bytes(bytes).unwrap().refuse_damage().unwrap_err();
        assert_eq!((error.code(), error.path()), (Some(Code::Checksum), Some("/b")), "{error}");
    }

    #[test]
    fn threads_that_read_shares_check_once() {
        let sizes = sample().1;
        let shares = |file: &File| {
            let block = file.blocks().unwrap()[0].clone();
            std::thread::scope(|scope| {
                for share in 0..4 {
                    let block = &block;
                    scope.spawn(move || block.read_into(share * 50_000, &mut [0; 50_000]).unwrap());
                }
            });
        };
        assert_eq!(read_by(true, shares), 2 * sizes[0]);
    }

    #[test]
    fn every_way_of_reading_reports_damage() {
        let (bytes, sizes) = sample();
        let mut damaged = bytes.to_vec();
        for block in File::from_bytes(bytes).unwrap().blocks().unwrap() {
            let at = block.header().data_offset(block.offset()).unwrap() + 100;
            damaged[usize::try_from(at).unwrap()] ^= 0x10;
        }
        let file = File::from_bytes(damaged.clone()).unwrap();
        assert!(file.verify().unwrap().iter().all(Result::is_err));
        let source = || Arc::new(Counting(Bytes::from(damaged.clone()), AtomicU64::new(0)));
        for number in 0..sizes.len() {
            let opened = || {
                let options = OpenOptions::new().verify_checksums(true);
                options.open_source(source()).unwrap().blocks().unwrap()[number].clone()
            };
            let mut out = vec![0; 200_000];
            for error in [
                opened().read(0..200_000).unwrap_err(),
                opened().read(5..10).unwrap_err(),
                opened().decoded().unwrap_err(),
                opened().read_into(0, &mut out).unwrap_err(),
                opened().read_into(8, &mut out[..100]).unwrap_err(),
            ] {
                assert_eq!(error.code(), Some(crate::error::Code::Checksum), "{number}: {error}");
                assert!(error.offset().is_some(), "{error}");
            }
        }
    }

    /// A file whose second block is damaged.
    fn with_damage(folder: &std::path::Path) -> std::path::PathBuf {
        let path = folder.join("x.asdf");
        let mut file = File::new();
        file.set("/value", &1).unwrap();
        for name in ["/a", "/b"] {
            file.set(name, &NdArray::from_vec(&[5000], vec![7_u8; 5000]).unwrap()).unwrap();
        }
        let mut bytes = file.to_bytes().unwrap();
        let block = File::from_bytes(bytes.clone()).unwrap().blocks().unwrap()[1].clone();
        bytes[usize::try_from(block.header().data_offset(block.offset()).unwrap()).unwrap()] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn an_update_refuses_or_reports_damage_in_the_blocks_that_it_copies() {
        let folder = tempfile::tempdir().unwrap();
        let path = with_damage(folder.path());
        let before = std::fs::read(&path).unwrap();
        let mut file = OpenOptions::new().verify_checksums(true).open(&path).unwrap();
        file.set("/value", &2).unwrap();
        let error = file.update().unwrap_err();
        assert_eq!((error.code(), std::fs::read(&path).unwrap() == before), (Some(Code::Checksum), true));

        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let options = OpenOptions::new().report_checksums(move |error| {
            assert_eq!(error.code(), Some(Code::Checksum));
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let mut file = options.open(&path).unwrap();
        file.set("/value", &3).unwrap();
        file.update().unwrap();
        assert_eq!((file.get::<i32>("/value").unwrap(), count.load(Ordering::Relaxed)), (3, 1));
    }

    #[test]
    fn an_update_reads_no_blocks_if_checksums_are_not_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = with_damage(folder.path());
        let count = Arc::new(AtomicU64::new(0));
        let counted = count.clone();
        let options = OpenOptions::new().watch(move |bytes| {
            counted.fetch_add(bytes, Ordering::Relaxed);
        });
        let mut file = options.open(&path).unwrap();
        file.set("/value", &2).unwrap();
        file.blocks().unwrap();
        let before = count.load(Ordering::Relaxed);
        let numbers = file.blocks().unwrap().iter().map(|block| block.number()).collect();
        file.check_copied(&numbers).unwrap();
        assert_eq!(count.load(Ordering::Relaxed), before);
    }

    #[test]
    fn the_numbers_of_blocks_are_checked_once() {
        let source = Arc::new(Counting(sample().0, AtomicU64::new(0)));
        let file = OpenOptions::new().verify_checksums(true).open_source(source.clone()).unwrap();
        let block = || {
            let before = source.1.load(Ordering::Relaxed);
            file.tree().blocks().block(0).unwrap();
            source.1.load(Ordering::Relaxed) - before
        };
        assert!(block() > 0);
        assert_eq!(block(), 0);
    }

    #[test]
    fn an_update_copies_a_block_that_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.asdf");
        let mut file = File::new();
        file.set("/value", &1).unwrap();
        file.set("/a", &NdArray::from_vec(&[5000], vec![7_u8; 5000]).unwrap()).unwrap();
        let mut bytes = WriteOptions::new().index(false).to_bytes(&file).unwrap();
        bytes.truncate(bytes.len() - 1000);
        std::fs::write(&path, bytes).unwrap();
        let mut file = OpenOptions::new().verify_checksums(true).open(&path).unwrap();
        file.set("/value", &2).unwrap();
        let numbers = file.blocks().unwrap().iter().map(|block| block.number()).collect();
        assert_eq!(file.suspects(|_| true).unwrap().len(), 1);
        file.check_copied(&numbers).unwrap();
        file.update().unwrap();
        assert_eq!(file.get::<i32>("/value").unwrap(), 2);
        let left = file.blocks().unwrap()[0].stored_bytes().unwrap_err();
        assert!(left.message().ends_with("1000 bytes are missing"), "{left}");
    }
}
