//! Several processes update a file while others read it. The program `concurrency` checks each read.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::process::Command;

fn run(way: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_concurrency")).args([way, "400"]).output().unwrap();
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
}

#[test]
fn reads_beside_updates_by_copy() {
    run("copy");
}

#[test]
fn reads_beside_updates_in_place() {
    run("in_place");
}

#[test]
fn reads_beside_updates_of_both_kinds() {
    run("mixed");
}
