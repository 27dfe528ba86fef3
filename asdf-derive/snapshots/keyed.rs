#[asdf(key = "kind")]
enum Region {
    Circle { radius: f64 },
    All,
}
