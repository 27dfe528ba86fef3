use asdf_core::Asdf;

#[derive(Asdf)]
struct Image {
    #[asdf(codec = "zlib")]
    plain: Vec<f32>,
    #[asdf(array, codec = "gzip9")]
    long: Vec<f32>,
    #[asdf(array, codec = "zlib:best")]
    level: Vec<f32>,
    #[asdf(array, codec = zlib)]
    unquoted: Vec<f32>,
    #[asdf(array, codec = "none:5")]
    nothing: Vec<f32>,
    #[asdf(array, codec = "zlib:")]
    empty: Vec<f32>,
}

fn main() {}
