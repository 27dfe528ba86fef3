use asdf_core::array::Record;

#[derive(Record)]
enum Kind {
    Star,
    Galaxy,
}

#[derive(Record)]
union Bits {
    float: f32,
    integer: u32,
}

#[derive(Record)]
struct Nothing;

#[derive(Record)]
struct Empty {}

fn main() {}
