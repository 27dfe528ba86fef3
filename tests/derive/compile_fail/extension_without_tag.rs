use asdf_core::Asdf;
use asdf_core::file::Extension;

#[derive(Asdf)]
struct Lens {
    name: String,
}

fn camera() -> Extension {
    Extension::new("asdf://example.org/extensions/camera-1.0.0").with::<Lens>()
}

fn main() {}
