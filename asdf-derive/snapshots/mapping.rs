/// A filter.
#[asdf(tag = "tag:x/filter-1.0.0")]
struct Filter {
    /// Its name.
    name: String,
    #[asdf(default = 1)]
    slot: u8,
}
