use asdf_core::Asdf;

type Alias = Option<f64>;

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:gain-1.0.0")]
struct Gain(f64);

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:limit-1.0.0")]
struct Limit(Alias);

#[derive(Asdf)]
struct Inner(bool);

#[derive(Asdf)]
#[asdf(tag = "tag:example.org:flag-1.0.0")]
enum Flag {
    Inner(Inner),
    Number(u8),
}

fn main() {}
