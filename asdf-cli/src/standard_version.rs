//! The version of the ASDF Standard that a command writes.

use asdf_core::file::Version;

use crate::suggested::Suggested;

/// The version of the ASDF Standard.
#[derive(Debug, clap::Args)]
pub(crate) struct Standard {
    /// Write for this version of the ASDF Standard
    #[arg(long = "standard", value_name = "VERSION", default_value = "1.6.0", value_parser = VERSION)]
    pub(crate) version: Version,
}

const VERSION: Suggested<Version> = Suggested {
    parse: |text| Version::parse(text).ok_or_else(|| "expected three numbers, as in 1.6.0".to_owned()),
    names: || vec!["1.6.0", "1.5.0", "1.4.0", "1.3.0", "1.2.0", "1.1.0", "1.0.0"],
};
