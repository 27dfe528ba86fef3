use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(text)]
struct Camera {
    name: String,
}

#[derive(Asdf)]
#[asdf(text)]
enum Extent {
    Auto,
    Both(f64),
}

#[derive(Asdf)]
#[asdf(text, write_only)]
struct Borrowed<'a>(&'a str);

#[derive(Asdf)]
#[asdf(text = "name")]
struct Name(String);

#[derive(Asdf)]
#[asdf(builder)]
struct Pair(u8, u8);

#[derive(Asdf)]
#[asdf(rename_all = "cammelCase")]
struct Camel {
    name: String,
}

#[derive(Asdf)]
#[asdf(rename_all = "title")]
struct Title {
    name: String,
}

#[derive(Asdf)]
#[asdf(rename_all = "lowercase")]
struct Newtype(String);

fn main() {}
