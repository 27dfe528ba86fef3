use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/part-1.1.0", schema = "schemas/part-1.0.0.yaml")]
struct Part {
    name: String,
}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/lens-1.0.0", schema = "schemas/part-1.0.0.yaml")]
struct Lens {
    name: String,
}

fn main() {}
