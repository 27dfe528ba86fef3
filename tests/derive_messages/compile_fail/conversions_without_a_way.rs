use asdf_core::Asdf;

struct Lens;

#[derive(Asdf)]
#[asdf(try_from = "f64", into = "f64")]
struct Latitude(f64);

#[derive(Asdf, Clone)]
#[asdf(from = "f64", into = "f64")]
struct Longitude(f64);

#[derive(Asdf, Clone)]
#[asdf(from = "Lens", into = "Lens")]
struct Camera(u8);

impl From<Lens> for Camera {
    fn from(_: Lens) -> Self {
        Self(1)
    }
}

impl From<Camera> for Lens {
    fn from(_: Camera) -> Self {
        Self
    }
}

#[derive(Asdf, Clone)]
#[asdf(from = "f64", into = "f64", tag = "asdf://example.org/tags/gain-1.0.0")]
struct Gain(f64);

impl From<f64> for Gain {
    fn from(gain: f64) -> Self {
        Self(gain)
    }
}

impl From<Gain> for f64 {
    fn from(gain: Gain) -> Self {
        gain.0
    }
}

fn main() {}
