use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(schema = "schemas/nowhere-1.0.0.yaml")]
struct Missing {}

#[derive(Asdf)]
#[asdf(schema = "schemas/torn-1.0.0.yaml")]
struct Torn {}

#[derive(Asdf)]
#[asdf(schema = "schemas/no_id.yaml")]
struct Nameless {}

#[derive(Asdf)]
#[asdf(schema)]
struct Unsaid {}

fn main() {}
