//! The version of the ASDF Standard that a command writes.

use asdf_core::file::Version;

/// The version of the ASDF Standard.
#[derive(Debug, clap::Args)]
pub(crate) struct Standard {
    /// The version of the ASDF Standard
    #[arg(long = "standard", value_name = "VERSION", default_value = "1.6.0", value_parser = version)]
    pub(crate) version: Version,
}

fn version(text: &str) -> Result<Version, String> {
    Version::parse(text).ok_or_else(|| "expected three numbers, as in 1.6.0".to_owned())
}
