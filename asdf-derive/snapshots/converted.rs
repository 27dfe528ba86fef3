#[asdf(from = "Plain", into = "Plain")]
struct Length(f64);
