#[asdf(tag = "asdf://example.org/tags/image-1.0.0", write_only)]
struct Image<'a> {
    name: &'a str,
    #[asdf(array)]
    data: &'a [f32],
}
