//! Makes a module of each chapter of the book, whose examples rustdoc then compiles and runs. Each example gets a
//! hidden first line that moves it to a folder of its own.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    println!("cargo::rerun-if-changed={}", book.display());
    let mut chapters = String::new();
    for entry in walkdir::WalkDir::new(&book).sort_by_file_name() {
        let path = entry?.into_path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let chapter = path.strip_prefix(&book).unwrap_or(&path).with_extension("");
        let name = chapter.to_string_lossy().replace(['/', '\\', '-'], "_").to_lowercase();
        let text = in_folders(&std::fs::read_to_string(&path)?);
        chapters.push_str(&format!("/// {}\n#[doc = {text:?}]\npub mod {name} {{}}\n", chapter.display()));
    }
    let out = std::env::var_os("OUT_DIR").ok_or(std::io::ErrorKind::NotFound)?;
    std::fs::write(Path::new(&out).join("chapters.rs"), chapters)
}

/// Adds the hidden line to the beginning of each Rust example, or of its function `main`.
fn in_folders(chapter: &str) -> String {
    let mut text = String::new();
    for (index, part) in chapter.split("```").enumerate() {
        let (head, body) = part.split_once('\n').unwrap_or((part, ""));
        let is_run = index % 2 == 1 && head == "rust" && !body.contains("fn main() {}");
        let at =
            body.find("fn main()").and_then(|main| body.get(main..)?.find('\n').map(|end| main + end + 1));
        let (before, after) = body.split_at(at.unwrap_or(0));
        text.push_str(if index > 0 { "```" } else { "" });
        match is_run {
            true => {
                text.push_str(&format!(
                    "{head}\n{before}# let _folder = asdf_book::folder().unwrap();\n{after}"
                ));
            }
            false => text.push_str(part),
        }
    }
    text
}
