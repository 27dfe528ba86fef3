#[asdf(check(exclusive_minimum = 0, one_of = [1, 2.5, -3], multiple_of = 0.5))]
struct Step(f64);
