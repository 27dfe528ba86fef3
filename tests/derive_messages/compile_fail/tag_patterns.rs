use asdf_core::value::TagPattern;

#[derive(TagPattern)]
enum None {}

#[derive(TagPattern)]
#[asdf(tags = [])]
enum Empty {}

#[derive(TagPattern)]
#[asdf(tags = "tag:x/filter-1.*")]
enum Alone {}

#[derive(TagPattern)]
#[asdf(tags = ["!filter-1.*", "tag:x/filter-1.*", "tag:x/filter-1.*"])]
enum Slips {}

#[derive(TagPattern)]
#[asdf(tag = "tag:x/filter-1.*", tags = ["tag:x/filter-1.*"])]
enum Attributes {}

fn main() {}
