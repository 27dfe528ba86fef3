use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(key = "kind")]
enum Region {
    Circle { radius: f64 },
    #[asdf(rename = "Circle")]
    Disk { radius: f64 },
}

fn main() {}
