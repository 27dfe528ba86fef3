use asdf_core::Asdf;

struct Lens;

#[derive(Asdf)]
struct Camera {
    #[asdf(with = nowhere)]
    lens: Lens,
    #[asdf(with = half)]
    spare: Option<Lens>,
}

mod half {
    use asdf_core::{NodeRef, Result};

    pub fn from_node(_: NodeRef<'_>) -> Result<u8> {
        Ok(5)
    }
}

fn main() {}
