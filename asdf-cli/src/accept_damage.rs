//! The option of commands that write data again.

use asdf_core::Error;
use asdf_core::error::Hint;

/// The option to accept damaged data.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct AcceptDamage {
    /// Write data whose checksum does not match, with a new checksum
    ///
    /// Prints a warning for each such block. By default the command fails and writes nothing.
    #[arg(id = "accept_damage", long = "accept-damage")]
    pub(crate) yes: bool,
}

/// Names the option in the hint of an error about a checksum.
pub(crate) fn hinted(error: Error) -> Error {
    match error.hint() {
        Some(Hint::AcceptChecksums) => error.replace_hint(Hint::AcceptDamage),
        _ => error,
    }
}
