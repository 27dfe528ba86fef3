//! Lists the modules of asdf-derive, with their paths.

use std::path::Path;

fn main() {
    let own = std::env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let source =
        Path::new(&own).join("../../asdf-derive/src").canonicalize().expect("the sources of asdf-derive");
    println!("cargo::rerun-if-changed={}", source.display());
    let text = std::fs::read_to_string(source.join("lib.rs")).expect("lib.rs is text");
    let mut modules = String::new();
    let mut before = "";
    for line in text.lines() {
        let is_test = std::mem::replace(&mut before, line) == "#[cfg(test)]";
        let Some(name) = line.strip_prefix("mod ").and_then(|line| line.strip_suffix(';')) else { continue };
        if is_test {
            continue;
        }
        let file = source.join(name).join("mod.rs");
        let path = if file.exists() { file } else { source.join(format!("{name}.rs")) };
        modules.push_str(&format!("#[path = {path:?}]\nmod {name};\n"));
    }
    let out = std::env::var("OUT_DIR").expect("Cargo sets it");
    std::fs::write(Path::new(&out).join("modules.rs"), modules).expect("the list is written");
}
