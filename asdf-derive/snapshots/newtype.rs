#[asdf(check(minimum = 0))]
struct Level(f64);
