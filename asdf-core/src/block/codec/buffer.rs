//! Memory for decoded data.

use bytes::Bytes;

use crate::error::{Error, Result};

/// So many bytes, all zero before they are written. The system gives the memory page by page when
/// it is first written, so that a size which is a lie costs addresses and no memory; and in large
/// pages where it has them, since touching fresh small ones costs more than decoding some codecs.
#[derive(Debug)]
pub(super) enum Buffer {
    #[cfg(feature = "mmap")]
    Pages(memmap2::MmapMut),
    Heap(Vec<u8>),
}

impl Buffer {
    /// What is worth a call of the system: some large pages.
    #[cfg(feature = "mmap")]
    const LARGE: usize = 8 << 20;

    pub(super) fn new(size: usize) -> Result<Self> {
        let fail =
            |e: &dyn std::fmt::Display| Error::no_memory(format_args!("{size} bytes of decoded data: {e}"));
        #[cfg(feature = "mmap")]
        if size >= Self::LARGE {
            let pages = memmap2::MmapMut::map_anon(size).map_err(|e| fail(&e))?;
            // A wish: systems without large pages go on without them.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            return Ok(Self::Pages(pages));
        }
        // Asked for first, since the next line ends the process where there is none.
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
        assert_eq!(Buffer::new(usize::MAX / 4).unwrap_err().kind(), crate::error::Kind::Limit);
    }
}
