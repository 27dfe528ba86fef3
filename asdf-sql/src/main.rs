//! The program `asdf-sql`.

fn main() {}
