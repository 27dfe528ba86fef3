use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tga = "tag:x", rename_all = "camelCase")]
struct Camera {
    #[asdf(renam = "Name")]
    name: String,
    #[asdf(skip)]
    cache: Option<u8>,
}

#[derive(Asdf)]
enum Mode {
    #[asdf(alias = "quick")]
    Fast,
}

#[derive(Asdf)]
#[asdf(check(minLength = 1, format = "uri"))]
struct Name(String);

fn main() {}
