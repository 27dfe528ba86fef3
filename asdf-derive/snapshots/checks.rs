#[asdf(check(
    min_items = 1,
    unique_items,
    items = [String, Option::<f64>],
    contains(
        name = [["", "description", "The name."], ["/key", "enum", "a", "b"], ["", "required", "c"]],
        r#type = [["/d", "pattern", "^e"]]
    )
))]
struct Cells<T>(Vec<T>);
