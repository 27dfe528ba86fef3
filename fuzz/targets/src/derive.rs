//! Expands any type with each derive: the code parses as Rust, or there are errors.

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(tokens) = text.parse::<proc_macro2::TokenStream>() else { return };
    // syn reads a type that ends with `+`, but not in `<T as Trait>`. It also reads fields named `_`, which rustc refuses
    // before it calls the derive.
    let spaceless: String = tokens.to_string().split_whitespace().collect();
    if ["+,", "+}", "+)", "+>", "+]", "+;", "{_:", ",_:", "]_:"].iter().any(|part| spaceless.contains(part)) {
        return;
    }
    for expanded in asdf_fuzz_derive::expansions(tokens) {
        let code = expanded.to_string();
        syn::parse2::<syn::File>(expanded).unwrap_or_else(|error| panic!("{error}\n{code}"));
    }
}
