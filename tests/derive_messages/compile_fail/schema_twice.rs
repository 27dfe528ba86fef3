use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(schema = "schemas/part-1.0.0.yaml", schema = "schemas/part-1.0.0.yaml")]
struct Part {
    name: String,
}

#[derive(Asdf)]
struct Field {
    #[asdf(schema = "schemas/part-1.0.0.yaml")]
    name: String,
}

fn main() {}
