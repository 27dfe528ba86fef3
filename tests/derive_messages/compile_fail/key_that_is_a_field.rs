use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(key = "kind")]
enum Region {
    Circle { kind: String, radius: f64 },
    Box {
        #[asdf(rename = "kind")]
        what: String,
    },
}

fn main() {}
