use asdf_core::Asdf;

struct Lens;

#[derive(Asdf)]
struct Camera {
    #[asdf(default = 5)]
    name: String,
    #[asdf(default = no_such_function)]
    serial: u8,
    #[asdf(default, with = lens)]
    lens: Lens,
}

#[derive(Asdf)]
#[asdf(new)]
struct Filter {
    name: String,
    #[asdf(default = "one")]
    slot: i32,
    #[asdf(default = 1.5)]
    position: u8,
    #[asdf(skip, default = 2)]
    note: String,
}

#[derive(Asdf)]
enum Wheel {
    Filters {
        #[asdf(default = "none")]
        count: u8,
    },
}

mod lens {
    use asdf_core::{NodeId, NodeRef, Result, Tree};

    pub fn from_node(_: NodeRef<'_>) -> Result<super::Lens> {
        Ok(super::Lens)
    }

    pub fn to_node(_: &super::Lens, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_null())
    }
}

fn main() {}
