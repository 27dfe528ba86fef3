use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(minimum = 0))]
pub struct Percent(pub f64);

#[derive(Asdf)]
#[asdf(check(minimum = 0))]
pub struct Gain(pub(crate) f64);

fn main() {}
