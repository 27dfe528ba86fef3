use asdf_core::Asdf;

#[derive(Asdf)]
struct Base {
    name: String,
}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:base-1.0.0")]
struct Tagged {
    name: String,
}

#[derive(Asdf)]
struct OfOther {
    #[asdf(flatten)]
    base: Tagged,
    #[asdf(flatten)]
    list: Vec<Base>,
}

#[derive(Asdf)]
struct Twice {
    #[asdf(flatten)]
    base: Base,
    #[asdf(alias = "name")]
    title: String,
}

fn main() {}
