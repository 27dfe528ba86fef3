use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(check(pattern = "^(a|b$"))]
struct Parenthesis(String);

#[derive(Asdf)]
#[asdf(check(pattern = r"^[a-z\]+$"))]
struct Bracket(String);

#[derive(Asdf)]
#[asdf(check(pattern = "^(?!a)"))]
struct LookAhead(String);

#[derive(Asdf)]
#[asdf(check(pattern = r"^(a)\1$"))]
struct BackReference(String);

#[derive(Asdf)]
#[asdf(check(pattern = "*.fits"))]
struct Glob(String);

fn main() {}
