use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(accepts = ["tag:example.org:camera-1.*"])]
struct Camera {
    name: String,
}

fn main() {}
