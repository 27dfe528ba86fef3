use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "")]
struct Empty {}

#[derive(Asdf)]
#[asdf(tag = "!core/column-1.0.0")]
struct Handle {}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:camera-1.*")]
struct Star {}

#[derive(Asdf)]
#[asdf(tag = "tag:yaml.org,2002:str")]
struct Yaml {}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:my camera")]
struct Space {}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:a-1.0.0", accepts = ["tag:example.org:a-0.1.0", "!a", "tag:example.org:a-0.1.0"])]
struct Twice {}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:a-1.0.0", accepts = [])]
struct None {}

#[derive(Asdf)]
#[asdf(tag = "filter")]
struct Word {}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/a")]
struct Unversioned {}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/a-1.0")]
struct TwoNumbers {}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/a-1.0.0-dev")]
struct NotYetReleased {}

fn main() {}
