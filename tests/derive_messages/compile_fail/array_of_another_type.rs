use asdf_core::Asdf;

#[derive(Asdf)]
struct Image {
    #[asdf(array)]
    names: Vec<String>,
    #[asdf(records)]
    stars: Vec<Star>,
    #[asdf(array)]
    count: usize,
}

#[derive(Asdf)]
struct Star {
    flux: f32,
}

fn main() {}
