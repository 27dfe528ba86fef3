//! Large copies, done by several processors.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use crate::error::Result;

/// What a thread does before it asks for more: a whole number of elements of any datatype.
const SHARE: usize = 2 << 20;

/// Below so many bytes another thread costs more than it gives.
const MUCH: usize = 8 << 20;

/// More processors than these would wait for memory.
const MOST: usize = 8;

/// Fills a slice by a function that is given an offset in it and the bytes from there on: all at once,
/// or in shares by several threads where there is much to do. After an error the rest may be left out.
pub(super) fn in_shares(out: &mut [u8], fill: impl Fn(usize, &mut [u8]) -> Result<()> + Sync) -> Result<()> {
    if out.len() < MUCH {
        return fill(0, out);
    }
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MOST);
    let shares = Mutex::new((0..).step_by(SHARE).zip(out.chunks_mut(SHARE)));
    let next = || shares.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((at, share)) = next() {
            fill(at, share)?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().name("asdf array".to_owned()).spawn_scoped(scope, work);
        // Where there are no threads to be had, this one does all.
        let others: Vec<_> = (1..threads).map_while(|number| spawn(number).ok()).collect();
        let mine = work();
        others.into_iter().fold(mine, |result, other| match other.join() {
            Ok(theirs) => result.and(theirs),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn every_byte_is_filled_once_by_its_place() {
        for len in [0, 1, MUCH - 1, MUCH, MUCH + SHARE / 2 + 3] {
            let mut out = vec![0_u8; len];
            in_shares(&mut out, |at, share| {
                for (index, byte) in (at..).zip(share) {
                    *byte += u8::try_from(index % 251).unwrap() + 1;
                }
                Ok(())
            })
            .unwrap();
            assert!(
                out.iter().enumerate().all(|(index, &byte)| usize::from(byte) == index % 251 + 1),
                "{len}"
            );
        }
    }

    #[test]
    fn an_error_is_told() {
        let mut out = vec![0_u8; 3 * MUCH];
        let result =
            in_shares(&mut out, |at, _| if at >= MUCH { Err(Error::malformed("cut")) } else { Ok(()) });
        assert_eq!(result.unwrap_err().message(), "cut");
    }
}
