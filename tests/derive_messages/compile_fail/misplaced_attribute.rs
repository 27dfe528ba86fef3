use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(rename = "camera", extra, minimum = 0)]
struct Camera {
    #[asdf(new)]
    name: String,
    #[asdf(tag = "tag:example.org:lens-1.0.0")]
    lens: String,
    #[asdf(pattern = "^a")]
    serial: String,
}

#[derive(Asdf)]
enum Mode {
    #[asdf(default)]
    Fast,
}

fn main() {}
