//! The messages of a program that was built without its features.

#![cfg(not(any(feature = "picture", feature = "query", feature = "wcs")))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

#[test]
fn commands_that_are_not_built_name_their_feature() {
    let image = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/files/exposure.asdf");
    for (arguments, feature) in [
        (vec!["query", image, ".meta"], "query"),
        (vec!["query", "--help"], "query"),
        (vec!["preview", image, "-o", "image.png"], "picture"),
        (vec!["wcs", image, "1", "-1"], "wcs"),
        (vec!["footprint", image, "--json"], "wcs"),
        (vec!["cutout", image, "--pixel", "1,1"], "wcs"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_asdf")).args(&arguments).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains(&format!("enable the feature `{feature}` of asdf-cli")), "{message}");
    }
}
