use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf]
struct Camera {
    #[asdf = "n"]
    name: u8,
    #[asdf("serial")]
    serial: u8,
    #[asdf(rename =)]
    lens: u8,
    #[asdf(rename = "t" default)]
    time: u8,
}

fn main() {}
