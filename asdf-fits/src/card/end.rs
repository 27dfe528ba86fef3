//! Where a header ends.

use asdf_core::{Error, Result};

use super::CARD;

/// The most cards of a header, which are 16 MB. Headers of archives have up to a few thousand.
///
/// Without a limit, endless input that begins like a header would be read until the memory is used up.
pub(crate) const MAX_CARDS: usize = 200_000;

/// Returns the number of bytes of a header with its `END` card, or `None` if these bytes do not have the card.
///
/// The first `searched` bytes do not have it either.
///
/// # Errors
/// [`Limit`](asdf_core::error::Kind::Limit) if the card is not one of the first [`MAX_CARDS`].
pub(crate) fn end(bytes: &[u8], searched: usize) -> Result<Option<usize>> {
    let first = searched / CARD;
    let cards = bytes.chunks_exact(CARD).enumerate().skip(first).take(MAX_CARDS.saturating_sub(first));
    let is_end =
        |card: &[u8]| card.strip_prefix(b"END").is_some_and(|rest| rest.iter().all(|&byte| byte == b' '));
    match cards.into_iter().find(|(_, card)| is_end(card)) {
        Some((number, _)) => Ok(Some((number + 1) * CARD)),
        None if bytes.len() / CARD < MAX_CARDS => Ok(None),
        None => Err(too_long()),
    }
}

fn too_long() -> Error {
    Error::limit(format!("found a header of more than {MAX_CARDS} cards, expected the card END before"))
        .with_hint("check the file: it begins like FITS, but goes on differently")
}

#[cfg(test)]
mod tests {
    use asdf_core::error::Kind;

    use super::*;

    #[test]
    fn the_end_is_found_up_to_the_limit() {
        let header = |cards: usize, rest: &str| format!("{}{rest:80}", " ".repeat(cards * CARD)).into_bytes();
        assert_eq!(end(b"", 0).unwrap(), None);
        assert_eq!(end(&header(3, "END"), 0).unwrap(), Some(4 * CARD));
        assert_eq!(end(&header(3, "END"), 3 * CARD).unwrap(), Some(4 * CARD));
        assert_eq!(end(&header(3, "END")[..300], 0).unwrap(), None);
        assert_eq!(end(&header(3, "ENDING"), 0).unwrap(), None);
        assert_eq!(end(&header(MAX_CARDS - 2, ""), 0).unwrap(), None);
        assert_eq!(end(&header(MAX_CARDS - 1, "END"), 0).unwrap(), Some(MAX_CARDS * CARD));
        assert_eq!(end(&header(MAX_CARDS, "END"), 0).unwrap_err().kind(), Kind::Limit);
        assert_eq!(end(&header(MAX_CARDS, "END"), (MAX_CARDS - 1) * CARD).unwrap_err().kind(), Kind::Limit);
    }
}
