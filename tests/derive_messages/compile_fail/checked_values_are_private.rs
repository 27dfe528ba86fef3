use asdf_core::Asdf;

mod model {
    #[derive(asdf_core::Asdf)]
    #[asdf(check(maximum = 100))]
    pub struct Percent(f64);
}

#[derive(Asdf)]
struct Camera {
    gain: model::Percent,
}

fn gain() -> Camera {
    Camera { gain: model::Percent(101.0) }
}

fn main() {}
