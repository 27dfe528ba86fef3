use asdf_core::Asdf;

const LIMIT: f64 = 1.0;

#[derive(Asdf)]
#[asdf(check(min_length = -1, max_length = 1.5))]
struct Lengths(String);

#[derive(Asdf)]
#[asdf(check(minimum = "0", maximum = LIMIT, multiple_of = 0))]
struct Numbers(f64);

#[derive(Asdf)]
#[asdf(check(unique_items = true, min_items))]
struct Items(Vec<u8>);

#[derive(Asdf)]
#[asdf(check())]
struct Nothing(u8);

#[derive(Asdf)]
#[asdf(check = "^a")]
struct Text(String);

fn main() {}
