use asdf_core::Asdf;
use std::fmt;

#[derive(Asdf)]
#[asdf(text, new)]
struct Level(f64);

#[derive(Asdf)]
#[asdf(text)]
struct Name(String);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn main() {}
