use asdf_core::{Asdf, value::KeptTag};

#[derive(Asdf)]
#[asdf(tag = "tag:x/region-1.0.0")]
enum Region {
    Circle {
        radius: f64,
        #[asdf(tag)]
        version: KeptTag,
    },
    Box {
        #[asdf(renam = "w")]
        width: f64,
        #[asdf(rename = "width")]
        height: f64,
    },
    #[asdf(rename = "dot")]
    Point(f64, f64),
    Nothing {},
    None(),
}

fn main() {}
