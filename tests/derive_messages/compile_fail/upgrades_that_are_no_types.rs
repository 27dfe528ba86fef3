use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-2.0.0", upgrades = "Old")]
struct Text {}

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-2.0.0", upgrades = ["Old", 5])]
struct Texts {}

fn main() {}
