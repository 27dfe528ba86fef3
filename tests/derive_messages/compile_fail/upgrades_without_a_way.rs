use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-1.0.0")]
struct Old {}

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-2.0.0", upgrades = [Old])]
struct New {}

fn main() {}
