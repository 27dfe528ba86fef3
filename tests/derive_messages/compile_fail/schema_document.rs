use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(schema = "schemas/empty-1.0.0.yaml")]
struct Empty {}

#[derive(Asdf)]
#[asdf(schema = "schemas/two-1.0.0.yaml")]
struct Two {}

#[derive(Asdf)]
#[asdf(schema = "schemas/round-1.0.0.yaml")]
struct Round {}

fn main() {}
