use asdf_core::value::Kinds;
use asdf_core::{Asdf, FromNode, NodeRef, Result};

struct Lens;

impl FromNode for Lens {
    const TYPES: Kinds = Kinds::MAPPING;

    fn from_node(_: NodeRef<'_>) -> Result<Self> {
        Ok(Lens)
    }
}

#[derive(Asdf)]
struct Camera {
    lens: Lens,
    spare: Option<Lens>,
}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/cameras-1.0.0")]
struct Cameras {
    lenses: Vec<Lens>,
}

#[derive(Asdf)]
struct Pair(Lens, u8);

#[derive(Asdf)]
struct Only(Lens);

#[derive(Asdf)]
enum Part {
    Lens(Lens),
    Lenses { all: Vec<Lens> },
}

#[derive(Asdf)]
#[asdf(write_only)]
struct Written<'a> {
    body: &'a Body,
}

struct Body;

fn main() {}
