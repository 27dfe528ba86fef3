use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(tag = "tag:x/filter-1.0.0")]
struct Old {}

#[derive(Asdf)]
#[asdf(versions = [Old])]
struct New {}

impl From<Old> for New {
    fn from(_: Old) -> Self {
        Self {}
    }
}

fn main() {}
