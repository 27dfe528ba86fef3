use asdf_core::array::Record;
use asdf_core::{Asdf, value::{Extra, KeptTag}};

struct Lens;

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/camera-1.0.0", new)]
struct Camera {
    lens: Lens,
    lenses: Vec<Lens>,
    #[asdf(old_default = "none")]
    old: Lens,
    #[asdf(default = Lens)]
    spare: Lens,
    #[asdf(flatten)]
    flat: Lens,
    #[asdf(records)]
    stars: Vec<Star>,
    #[asdf(array)]
    names: Option<Vec<String>>,
    #[asdf(tag)]
    tag: KeptTag,
    #[asdf(extra)]
    extra: Extra,
}

#[derive(Record)]
struct Star {
    name: String,
    other: Lens,
}

#[derive(Asdf)]
struct Pair(Lens, Option<Lens>);

#[derive(Asdf)]
struct Only(Lens);

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/tagged-1.0.0")]
struct Tagged(Lens, #[asdf(tag)] String);

#[derive(Asdf)]
enum Part {
    Lens(Lens),
    Pair(Lens, f64),
    Both { first: Lens, second: Option<Lens> },
}

#[derive(Asdf)]
#[asdf(key = "kind")]
enum Kind {
    Lens { lens: Lens },
}

fn main() {}
