//! Snapshots of the expansion of a few types: `snapshots/NAME.rs` expands to `snapshots/NAME.expanded`.
//!
//! `UPDATE_GENERATED=1 cargo test -p asdf-derive` updates them.

use std::path::Path;

use crate::docs;
use crate::implementation::expand;

#[test]
fn expansions_match_their_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots");
    let mut count = 0;
    for name in [
        "checks",
        "choice",
        "converted",
        "keyed",
        "limits",
        "mapping",
        "newtype",
        "reach",
        "words",
        "written",
    ] {
        let text = std::fs::read_to_string(folder.join(name).with_extension("rs")).unwrap();
        let input = docs::set_aside(text.parse().unwrap());
        let tokens = expand(&syn::parse2(input).unwrap()).unwrap();
        let expanded = prettyplease::unparse(&syn::parse2(tokens).unwrap());
        let path = folder.join(name).with_extension("expanded");
        if std::env::var_os("UPDATE_GENERATED").is_some() {
            std::fs::write(&path, &expanded).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert_eq!(expanded, expected, "run with UPDATE_GENERATED=1 to update {}", path.display());
        count += 1;
    }
    assert_eq!(count * 2, std::fs::read_dir(&folder).unwrap().count());
}
