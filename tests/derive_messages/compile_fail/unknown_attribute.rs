use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tga = "tag:x", transparent)]
struct Camera {
    #[asdf(renam = "Name")]
    name: String,
    #[asdf(skip_serializing)]
    cache: Option<u8>,
}

#[derive(Asdf)]
enum Mode {
    #[asdf(other)]
    Fast,
}

#[derive(Asdf)]
#[asdf(check(minLength = 1, format = "uri"))]
struct Name(String);

fn main() {}
