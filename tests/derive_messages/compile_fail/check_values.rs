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

#[derive(Asdf)]
#[asdf(check(one_of = 5))]
struct One(i8);

#[derive(Asdf)]
#[asdf(check(one_of = []))]
struct NoneAtAll(i8);

#[derive(Asdf)]
#[asdf(check(one_of = [1, 2, 1.0]))]
struct Twice(i8);

#[derive(Asdf)]
#[asdf(check(one_of = [1, "2"]))]
struct Mixed(i8);

#[derive(Asdf)]
#[asdf(check(one_of = [-1, 1], minimum = 2))]
struct Excluded(i8);

#[derive(Asdf)]
#[asdf(check(one_of = [1, 2], min_length = 2))]
struct Families(i8);

fn main() {}
