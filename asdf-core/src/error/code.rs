//! Codes of errors.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// What exactly failed, finer than [`Kind`](super::Kind): for programs that handle one cause differently from
        /// others. [`Error::code`](super::Error::code) gives it. Messages may change; codes do not.
        ///
        /// Warnings are errors that nothing returns: all of [`File::warnings`](crate::File::warnings), and all that
        /// [`OpenOptions::report_checksums`](crate::OpenOptions::report_checksums) and
        /// [`report_missed_blocks`](crate::OpenOptions::report_missed_blocks) report, have a code.
        ///
        /// Violations of `asdf-schemas` have a code of their own type. Where both have the same variant, it has the
        /// same meaning.
        ///
        /// ```
        /// use asdf_core::{File, error};
        ///
        /// let error = File::from_bytes(&b"SIMPLE  =                    T"[..]).unwrap_err();
        /// match error.code() {
        ///     Some(error::Code::NotAsdf) => {} // perhaps a FITS file
        ///     Some(error::Code::CutShort) => panic!("the download was interrupted"),
        ///     _ => panic!("{error}"),
        /// }
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name, for logs and statistics: `not-asdf`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

codes! {
    /// The bytes do not begin as an ASDF file does.
    NotAsdf "not-asdf",
    /// The file has a layout that this version does not read.
    Layout "layout",
    /// The file ends too early.
    CutShort "cut-short",
    /// The file refers to a file outside the folders that may be read.
    Outside "outside",
    /// The tree is not YAML 1.1.
    Yaml "yaml",
    /// No tree may have an integer of this size.
    Integers "integers",
    /// A block cannot be read: its header is wrong or missing.
    Block "block",
    /// The file does not have a block of this number.
    NoBlock "no-block",
    /// The block index expects a block where none begins.
    Index "index",
    /// The checksum of a block does not match its bytes.
    Checksum "checksum",
    /// No codec has the block's compression label.
    Codec "codec",
    /// The compressed bytes of a block do not decode.
    Undecodable "undecodable",
    /// The type does not have this tag.
    Tag "tag",
    /// An array has another datatype than the one asked for.
    Datatype "datatype",
    /// An array has another shape or number of axes than the one asked for.
    Shape "shape",
    /// A tree or value nests deeper than the limit.
    Depth "depth",
    /// A tree has more text, nodes or tags than the limit.
    TreeSize "tree-size",
    /// A file has more blocks than the limit.
    Blocks "blocks",
    /// Blocks decode to more bytes than the limit.
    DecodedSize "decoded-size",
    /// The system has no memory for the data.
    Memory "memory",
    /// A warning: the file is of the pre-release format 0.1.0, and read as one of a later standard.
    Draft "draft",
    /// A warning: a tag of the pre-release format 0.1.0 has no counterpart, and is kept as it is.
    DraftTag "draft-tag",
    /// A warning: the version of the file format is newer than those that are known.
    NewerFormat "newer-format",
    /// A warning: the version of the ASDF Standard is newer than those that are known.
    NewerStandard "newer-standard",
    /// A warning: the file was written with a newer version of an extension's package.
    NewerPackage "newer-package",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_variants_in_kebab_case_and_different() {
        let names: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for code in Code::ALL {
            assert_eq!(code.name().replace('-', ""), format!("{code:?}").to_lowercase());
        }
    }
}
