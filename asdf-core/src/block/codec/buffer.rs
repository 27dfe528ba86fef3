//! Memory for decoded data.

use bytes::Bytes;

use crate::error::{Error, Result};

/// A buffer of a fixed size, which is zero before it is written. The system provides the memory page by page
/// when it is first written, so a false size costs addresses but no memory. It uses large pages if it has
/// them, since touching fresh small pages costs more than decoding with some codecs.
#[derive(Debug)]
pub(super) enum Buffer {
    #[cfg(feature = "mmap")]
    Pages(memmap2::MmapMut),
    Heap(Vec<u8>),
}

impl Buffer {
    /// The size from which a call of the system is worth it: some large pages.
    #[cfg(feature = "mmap")]
    const LARGE: usize = 8 << 20;

    pub(super) fn new(size: usize) -> Result<Self> {
        let fail =
            |e: &dyn std::fmt::Display| Error::no_memory(format_args!("{size} bytes of decoded data: {e}"));
        #[cfg(feature = "mmap")]
        if size >= Self::LARGE {
            let pages = memmap2::MmapMut::map_anon(size).map_err(|e| fail(&e))?;
            // Only a request: systems without large pages ignore it.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            return Ok(Self::Pages(pages));
        }
        // Checked first, since the next line ends the process if there is not enough memory.
        Vec::<u8>::new().try_reserve_exact(size).map_err(|e| fail(&e))?;
        Ok(Self::Heap(vec![0; size]))
    }

    pub(super) fn bytes(&mut self) -> &mut [u8] {
        match self {
            #[cfg(feature = "mmap")]
            Self::Pages(pages) => pages,
            Self::Heap(bytes) => bytes,
        }
    }
}

impl From<Buffer> for Bytes {
    fn from(room: Buffer) -> Self {
        match room {
            #[cfg(feature = "mmap")]
            Buffer::Pages(pages) => Self::from_owner(pages),
            Buffer::Heap(bytes) => bytes.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_that_can_be_written_and_shared() {
        for size in [0, 1, 100_000, 8 << 20, (9 << 20) + 7] {
            let mut room = Buffer::new(size).unwrap();
            assert!(room.bytes().len() == size && room.bytes().iter().all(|&byte| byte == 0));
            room.bytes().fill(7);
            assert!(Bytes::from(room) == vec![7; size]);
        }
        // More than any system gives to a program, of 64 bits and of 32 bits.
        let many = usize::MAX / 4 * if usize::BITS == 64 { 1 } else { 3 };
        assert_eq!(Buffer::new(many).unwrap_err().kind(), crate::error::Kind::Limit);
    }
}
