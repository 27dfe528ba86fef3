//! Names of limits.

use std::fmt;

macro_rules! limits {
    ($($(#[$doc:meta])* $variant:ident $name:literal $option:expr,)*) => {
        /// The name of a limit of [`Limits`](crate::Limits) or of [`ParseOptions`](crate::yaml::ParseOptions).
        ///
        /// A limit of both types is one variant.
        ///
        /// # Examples
        /// ```
        /// use asdf_core::error::LimitName;
        ///
        /// assert_eq!(LimitName::TreeDepth.name(), "tree_depth"); // `Limits::tree_depth`
        /// assert_eq!(LimitName::TreeDepth.parse_option(), Some("max_depth")); // `ParseOptions::max_depth`
        /// assert_eq!(LimitName::Blocks.parse_option(), None);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum LimitName {
            $($(#[$doc])* $variant,)*
        }

        impl LimitName {
            /// All limits.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the name of the field in [`Limits`](crate::Limits).
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the name of the method of [`ParseOptions`](crate::yaml::ParseOptions), if it has this limit.
            #[must_use]
            pub const fn parse_option(self) -> Option<&'static str> {
                match self { $(Self::$variant => $option,)* }
            }
        }
    };
}

limits! {
    /// The bytes of the tree's text.
    TreeSize "tree_size" Some("max_text"),
    /// The depth to which collections of the tree nest.
    TreeDepth "tree_depth" Some("max_depth"),
    /// The number of nodes of the tree.
    TreeNodes "tree_nodes" Some("max_nodes"),
    /// The bytes of all distinct tags of the tree, as full URIs.
    TreeTagBytes "tree_tag_bytes" Some("max_tag_bytes"),
    /// The bytes that one compressed block decodes to.
    DecodedSize "decoded_size" None,
    /// The total bytes that all compressed blocks of a file decode to.
    DecodedTotal "decoded_total" None,
    /// The bytes of elements that arrays of a file read from the same bytes again and again.
    RepeatedElements "repeated_elements" None,
    /// The number of blocks.
    Blocks "blocks" None,
    /// The bytes of a reader, such as standard input.
    StreamSize "stream_size" None,
}

impl fmt::Display for LimitName {
    /// Writes the [name](Self::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
