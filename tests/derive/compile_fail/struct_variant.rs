use asdf_core::Asdf;

#[derive(Asdf)]
enum Shape {
    Circle { radius: f64 },
    Rectangle(f64, f64),
    Empty(),
}

fn main() {}
