use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = 5, accepts = "tag:example.org:a-*", new = true, crate = "not a path")]
struct Camera {
    #[asdf(rename = Name)]
    name: u8,
    #[asdf(rename)]
    serial: u8,
    #[asdf(with = "module")]
    lens: u8,
    #[asdf(extra = "yes")]
    extra: asdf_core::value::Extra,
}

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:b-1.0.0", accepts = ["tag:example.org:b-*", 5], check)]
struct Name(String);

fn main() {}
