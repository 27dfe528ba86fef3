use asdf_core::{NodeRef, Kind};
fn show(n: NodeRef<'_>, depth: usize) {
    let s = n.span();
    println!("{}{:?} {:?} {:?} text={:?} tag={:?} &{:?} [{}..{}]", "  ".repeat(depth), n.id().number(), n.kind(), n.style(), n.text(), n.tag(), n.anchor(), s.start, s.end);
    if depth > 6 { return; }
    if n.kind() == Kind::Sequence { for i in n.items() { show(i, depth + 1) } }
    for (k, v) in n.entries() { show(k, depth + 1); show(v, depth + 2); }
}
fn main() {
    for a in std::env::args().skip(1) {
        let t = a.replace("\\n", "\n").replace("\\t", "\t");
        println!("=== {t:?}");
        match asdf_core::yaml::parse(&t) { Ok(tree) => { if let Some(r) = tree.root() { show(r, 0) } println!("comments {:?}", tree.comments()); } Err(e) => println!("ERR {e}") }
    }
}
