//! Files of `tests/validate`: NAME.asdf, and in NAME.expected what the validator says of it, a line
//! each; an empty one for a valid file. `UPDATE_EXPECTED=1` writes them anew: read them then.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::Path;

use asdf_core::File;
use asdf_schemas::Validator;

#[test]
fn every_file_gives_what_is_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("validate");
    let mut files = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "asdf") {
            continue;
        }
        files += 1;
        let mut found = String::new();
        match File::open(&path) {
            Ok(file) => {
                for violation in Validator::standard().validate_file(&file).violations() {
                    let _ = writeln!(found, "{violation}");
                }
            }
            Err(error) => {
                let text = error.to_string().replace(&path.display().to_string(), "");
                let _ = writeln!(found, "{text}");
            }
        }
        let expected = path.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(&expected, &found).unwrap();
        }
        if std::fs::read_to_string(&expected).ok().as_deref() != Some(&found) {
            wrong.push(format!("{}:\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files >= 15, "only {files} files were validated");
}
