//! What asdf-codegen writes for extern types whose `tags` in the configuration are wrong.

use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/filter-1.1.0", accepts = ["asdf://example.org/tags/filter-1.*"])]
struct Filter {}

#[derive(Asdf)]
struct Untagged {}

const _: () = ::asdf_core::__private::assert_reads::<Filter>(
    "asdf://example.org/tags/lens-1.*",
    "the type `Filter` reads no tag that fits asdf://example.org/tags/lens-1.*: correct `tags` of this extern type in \
     the configuration",
);

const _: () = ::asdf_core::__private::assert_reads::<Untagged>(
    "asdf://example.org/tags/untagged-1.*",
    "the type `Untagged` reads no tag that fits asdf://example.org/tags/untagged-1.*: correct `tags` of this extern \
     type in the configuration",
);

fn main() {}
