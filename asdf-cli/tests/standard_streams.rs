//! Standard input without end, and standard error that cannot be written.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use asdf_core::File;

/// Runs the program with an endless input. Returns its exit code, its messages and the bytes that it read.
fn endless(arguments: &[&str], first: &[u8]) -> (Option<i32>, String, usize) {
    let mut asdf = Command::new(env!("CARGO_BIN_EXE_asdf"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut written) = (asdf.stdin.take().unwrap(), 0);
    let piece = vec![b'1'; 1 << 16];
    let mut next = first;
    // Ends when the program closes its input.
    while let Ok(count) = input.write(next) {
        written += count;
        next = &piece;
    }
    let output = asdf.wait_with_output().unwrap();
    let text = [output.stderr, output.stdout].concat();
    (output.status.code(), String::from_utf8(text).unwrap(), written)
}

#[test]
fn input_that_is_not_asdf_is_refused_by_its_first_bytes() {
    for arguments in [["info", "-"], ["validate", "-"], ["repair", "-"], ["to_yaml", "-"]] {
        let (code, message, written) = endless(&arguments, b"\x89HDF\r\n\x1a\n");
        assert_eq!(code, Some(1), "{arguments:?}: {message}");
        assert!(message.contains("not an ASDF file"), "{message}");
        assert!(written < 1 << 20, "{arguments:?} read {written} bytes");
    }
}

#[test]
fn input_without_end_is_refused_at_the_limit() {
    let commands: [&[&str]; 3] =
        [&["info", "-"], &["set", "-", "/a", "1"], &["import", "--from", "csv", "-", "-"]];
    for command in commands {
        let arguments = [command, &["--limit-stream-size", "1M"]].concat();
        let (code, message, written) = endless(&arguments, b"#ASDF 1.0.0\n#");
        assert_eq!(code, Some(1), "{command:?}: {message}");
        assert!(
            message.starts_with("<stdin>: found a stream of more bytes than the limit of 1048576"),
            "{message}"
        );
        assert!(message.contains("raise --limit-stream-size"), "{message}");
        assert!(written < 2 << 20, "{command:?} read {written} bytes");
    }
}

#[test]
fn messages_that_cannot_be_written_are_no_reason_to_panic() {
    let full = || OpenOptions::new().write(true).open("/dev/full");
    // Only Linux has this device.
    if full().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut file = File::new();
    file.set("/a", &1).unwrap();
    file.write(at("x.asdf")).unwrap();
    file.set("/asdf_library", &asdf_core::file::Software::asdf_core()).unwrap();
    file.set("/asdf_library/version", "9").unwrap();
    asdf_core::WriteOptions::new().sign(false).write(&file, at("y.asdf")).unwrap();
    let run = |arguments: &[&str], editor: &Path| {
        let mut asdf = Command::new(env!("CARGO_BIN_EXE_asdf"));
        asdf.args(arguments).current_dir(folder.path()).env("EDITOR", editor).env_remove("VISUAL");
        // The text that `edit` keeps goes to this folder.
        asdf.env("TMPDIR", folder.path());
        asdf.stdin(Stdio::null()).stderr(full().unwrap()).output().unwrap().status.code()
    };
    let editor = at("editor");
    std::fs::write(&editor, "#!/bin/sh\necho '{' > \"$1\"\n").unwrap();
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(run(&["edit", "x.asdf"], &editor), Some(1));
    assert_eq!(run(&["diff", "x.asdf", "y.asdf"], &editor), Some(0));
}
