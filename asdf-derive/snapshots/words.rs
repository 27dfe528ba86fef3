enum Mode {
    #[asdf(rename = "slow")]
    Slow,
    Fast,
}
