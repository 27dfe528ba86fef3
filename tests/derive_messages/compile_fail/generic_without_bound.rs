use asdf_core::Asdf;

#[derive(Asdf)]
struct Pair<T>(T, T);

struct Lens;

fn main() {
    let tree = asdf_core::yaml::parse("[1, 2]").unwrap();
    let pair: Pair<Lens> = tree.get("").unwrap();
}
