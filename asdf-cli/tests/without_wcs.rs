//! Pictures of a program that was built without world coordinates.

#![cfg(all(feature = "picture", not(feature = "wcs")))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

#[test]
fn options_for_the_sky_name_their_feature() {
    let image = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/files/exposure.asdf");
    for option in ["--grid", "--compass"] {
        let arguments = ["preview", image, option, "-o", "-"];
        let output = Command::new(env!("CARGO_BIN_EXE_asdf")).args(arguments).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("enable the feature `wcs` of asdf-cli"), "{message}");
    }
    let help = Command::new(env!("CARGO_BIN_EXE_asdf")).args(["preview", "--help"]).output().unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("--compass\n"));
}
