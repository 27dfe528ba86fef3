use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(pattern = "^F[0-9]+\\"))]
struct Backslash(String);

#[derive(Asdf)]
#[asdf(check(pattern = "^a|b)$"))]
struct Parenthesis(String);

#[derive(Asdf)]
#[asdf(check(pattern = "^(+[0-9])$"))]
struct Repeat(String);

#[derive(Asdf)]
#[asdf(check(pattern = "^(?<=F)[0-9]$"))]
struct LookBehind(String);

fn main() {}
