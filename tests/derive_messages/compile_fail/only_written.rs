use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(write_only)]
struct Row<'a> {
    name: &'a str,
}

fn main() {
    let tree = asdf_core::yaml::parse("{name: a}").unwrap();
    let row: Row<'_> = tree.get("").unwrap();
}
