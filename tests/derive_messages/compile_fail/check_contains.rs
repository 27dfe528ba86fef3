use asdf_core::{Asdf, Node};

#[derive(Asdf)]
#[asdf(check(contains()))]
struct Nothing(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["/name", "required", "x"]], a = [])))]
struct Twice(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(get = [["/name", "required", "x"]])))]
struct Taken(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = "name")))]
struct NoList(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = ["name"])))]
struct NoRows(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [[5]])))]
struct NoText(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [[]])))]
struct NoTest(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["/name"]])))]
struct NoKeyword(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["name", "required", "x"]])))]
struct NoPointer(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["/name", "enum"]])))]
struct NoWords(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["/name", "maximum", "5"]])))]
struct OtherKeyword(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(contains(a = [["/name", "pattern", "("]])))]
struct NoPattern(Vec<Node>);

#[derive(Asdf)]
#[asdf(check(one_of = [!5]))]
struct NoNumber(i64);

#[derive(Asdf)]
#[asdf(check(items = [<String as ToOwned>::Owned]))]
struct NoPath(Vec<Node>);

fn main() {}
