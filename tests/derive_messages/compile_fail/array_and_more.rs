use asdf_core::Asdf;

#[derive(Asdf)]
struct Image {
    #[asdf(array, with = seconds)]
    pixels: Vec<f32>,
    #[asdf(array, records)]
    both: Vec<f32>,
    #[asdf(array = "f32")]
    typed: Vec<f32>,
}

fn main() {}
