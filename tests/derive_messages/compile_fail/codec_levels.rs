use asdf_core::Asdf;

#[derive(Asdf)]
struct Image {
    #[asdf(array, codec = "zlib:99")]
    small: Vec<f32>,
    #[asdf(array, codec = "lz4:1")]
    fast: Vec<f32>,
    #[asdf(array, codec = "nope:99")]
    mine: Vec<f32>,
}

#[derive(Asdf)]
enum Stack {
    Images {
        #[asdf(array, codec = "bzp2:0")]
        images: Vec<f32>,
    },
}

fn main() {}
