use asdf_core::Asdf;

#[derive(Asdf)]
struct Camera {
    name: String,
    #[asdf(rename = "name")]
    title: String,
    r#type: u8,
    #[asdf(rename = "type")]
    kind: u8,
}

fn main() {}
