use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(min_length = 1))]
struct Gain(f64);

#[derive(Asdf)]
#[asdf(check(maximum = 10))]
struct Title(String);

#[derive(Asdf)]
#[asdf(check(unique_items))]
struct Names(Option<Vec<u8>>);

fn main() {}
