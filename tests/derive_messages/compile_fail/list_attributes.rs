use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(new)]
struct Range(f64, f64);

#[derive(Asdf)]
#[asdf(check(minimum = 0))]
struct Pair(f64, f64);

#[derive(Asdf)]
struct Renamed(#[asdf(rename = "low")] f64, f64);

#[derive(Asdf)]
struct Empty();

fn main() {}
