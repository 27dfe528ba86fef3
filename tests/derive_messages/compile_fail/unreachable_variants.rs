use asdf_core::{Asdf, Node, value::Extra};

type Number = f64;

#[derive(Asdf)]
struct Metres(f64);

#[derive(Asdf)]
enum Numbers {
    X(Number),
    Y(f32),
    Z(i32),
    M(Metres),
}

#[derive(Asdf)]
enum Lists {
    Floats(Vec<f64>),
    Integers(Vec<i32>),
    Pair([f64; 2]),
}

#[derive(Asdf)]
enum Anything {
    Any(Node),
    Text(String),
    Point(f64, f64),
    Named { x: f64 },
}

#[derive(Asdf)]
enum Fields {
    A { x: i32 },
    B { x: i32 },
}

#[derive(Asdf)]
enum Wider {
    A { x: f64, y: Option<f64> },
    B { x: u8 },
    C { x: Option<f64> },
}

#[derive(Asdf)]
enum Open {
    A {
        #[asdf(extra)]
        others: Extra,
    },
    B { x: i32 },
}

#[derive(Asdf)]
enum Tuples {
    A(f64, Option<String>),
    B(i32, String),
}

fn main() {}
