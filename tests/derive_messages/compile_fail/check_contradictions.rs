use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(minimum = 10, maximum = 1))]
struct Numbers(f64);

#[derive(Asdf)]
#[asdf(check(minimum = 0, exclusive_minimum = 0, exclusive_maximum = 0.0))]
struct Exclusive(f64);

#[derive(Asdf)]
#[asdf(check(min_length = 3, max_length = 2))]
struct Text(String);

#[derive(Asdf)]
#[asdf(check(pattern = "^a", maximum = 2, min_items = 3))]
struct Everything(String);

fn main() {}
