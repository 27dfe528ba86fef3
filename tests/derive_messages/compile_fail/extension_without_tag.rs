use asdf_core::Asdf;
use asdf_core::file::Extension;

#[derive(Asdf)]
struct Filter {
    name: String,
}

fn main() {
    let extension = Extension::new("asdf://example.org/extensions/camera-1.0.0").unwrap().with::<Filter>();
}
