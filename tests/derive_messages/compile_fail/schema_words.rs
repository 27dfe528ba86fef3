use asdf_core::Asdf;

#[derive(Asdf)]
#[asdf(schema = "schemas/mode-1.0.0.yaml")]
enum Mode {
    #[asdf(rename = "slow")]
    Slow,
    #[asdf(rename = "quick")]
    Quick,
    #[asdf(rename = "up the ramp")]
    UpTheRamp,
}

#[derive(Asdf)]
#[asdf(schema = "schemas/mode-1.0.0.yaml")]
struct Number(f64);

#[derive(Asdf)]
#[asdf(schema = "schemas/mode-1.0.0.yaml")]
struct Mapping {
    slow: bool,
}

fn main() {}
