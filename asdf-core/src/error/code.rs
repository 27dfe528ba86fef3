//! Codes of errors.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal,)*) => {
        /// A stable code of an error, finer than its [`Kind`](super::Kind).
        ///
        /// [`Error::code`](super::Error::code) returns it, for programs that handle one cause differently from others.
        /// Messages may change; codes do not.
        ///
        /// Warnings have codes too: those of [`File::warnings`](crate::File::warnings), of
        /// [`OpenOptions::report_checksums`](crate::OpenOptions::report_checksums) and of
        /// [`OpenOptions::report_missed_blocks`](crate::OpenOptions::report_missed_blocks).
        ///
        /// Violations of `asdf-schemas` have codes of another type. If both types have a variant, it has the same
        /// meaning.
        ///
        /// # Examples
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
    /// The bytes do not begin with the first line of an ASDF file.
    NotAsdf "not-asdf",
    /// The version of the file format is not supported.
    Layout "layout",
    /// The file is truncated.
    CutShort "cut-short",
    /// The file refers to a file outside the folders that may be read.
    Outside "outside",
    /// The tree is not YAML 1.1.
    Yaml "yaml",
    /// The integer is too large for a tree.
    Integers "integers",
    /// A block cannot be read: its header is wrong or missing.
    Block "block",
    /// The block does not exist in the file.
    NoBlock "no-block",
    /// The block index expects a block at a byte where no block begins.
    Index "index",
    /// The checksum of a block does not match its bytes.
    Checksum "checksum",
    /// No codec has the block's compression label.
    Codec "codec",
    /// The compressed bytes of a block do not decode.
    Undecodable "undecodable",
    /// The type does not have this tag.
    Tag "tag",
    /// An array does not have the requested datatype.
    Datatype "datatype",
    /// An array does not have the requested shape or number of axes.
    Shape "shape",
    /// A tree or value nests deeper than the limit.
    Depth "depth",
    /// A tree has more text, nodes or tags than the limit.
    TreeSize "tree-size",
    /// A file has more blocks than the limit.
    Blocks "blocks",
    /// Blocks decode to more bytes than the limit.
    DecodedSize "decoded-size",
    /// Arrays read the same bytes more often than the limit.
    RepeatedElements "repeated-elements",
    /// The system cannot provide the memory for the data.
    Memory "memory",
    /// A warning: the file has the pre-release format 0.1.0 and is read as a file of a later standard.
    Draft "draft",
    /// A warning: a tag of the pre-release format 0.1.0 has no counterpart and is kept unchanged.
    DraftTag "draft-tag",
    /// A warning: the version of the file format is newer than the supported ones.
    NewerFormat "newer-format",
    /// A warning: the version of the ASDF Standard is newer than the supported ones.
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
