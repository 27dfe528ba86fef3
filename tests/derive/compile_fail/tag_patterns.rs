use asdf_core::TagPattern;

#[derive(Debug, Clone, Copy, PartialEq, TagPattern)]
enum None {}

#[derive(Debug, Clone, Copy, PartialEq, TagPattern)]
#[asdf(tags = [])]
enum Empty {}

#[derive(Debug, Clone, Copy, PartialEq, TagPattern)]
#[asdf(tags = "tag:x/filter-1.*")]
enum Alone {}

#[derive(Debug, Clone, Copy, PartialEq, TagPattern)]
#[asdf(tags = ["!filter-1.*", "tag:x/filter-1.*", "tag:x/filter-1.*"])]
enum Slips {}

#[derive(Debug, Clone, Copy, PartialEq, TagPattern)]
#[asdf(tag = "tag:x/filter-1.*", tags = ["tag:x/filter-1.*"])]
enum Attributes {}

#[derive(TagPattern)]
#[asdf(tags = ["tag:x/filter-1.*"])]
enum Bare {}

fn main() {}
