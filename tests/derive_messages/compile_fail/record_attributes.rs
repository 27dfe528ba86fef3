use asdf_core::array::Record;

#[derive(Record)]
#[asdf(tag = "tag:example.org/star-1.0.0")]
struct Star {
    #[asdf(default)]
    id: u32,
    #[asdf(rename = "id")]
    number: u32,
    #[asdf(rename)]
    flux: f32,
    #[asdf(renam = "x")]
    error: f32,
}

#[derive(Record)]
struct Pair(#[asdf(rename = "first")] f32, f32);

fn main() {}
