use asdf_core::Asdf;

#[derive(Asdf)]
union Bits {
    float: f32,
    integer: u32,
}

fn main() {}
