//! Signals during a write remove the unfinished file and keep the old target.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// More than a debug build writes before the signal arrives. The data is a hole, so it takes no space on the disk.
const LARGE: u64 = 3 << 30;

/// Creates a file whose array `/small` is in block 0 and whose array `/large` is a hole.
fn input(folder: &Path) -> PathBuf {
    let block = |size: u64| {
        let mut header = b"\xd3BLK\x00\x30\0\0\0\0\0\0\0\0".to_vec();
        header.extend([size, size, size].iter().flat_map(|size| size.to_be_bytes()));
        header.extend([0; 16]);
        header
    };
    let mut bytes = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
         large: !core/ndarray-1.1.0 {{source: 1, datatype: uint8, byteorder: big, shape: [{LARGE}]}}\n\
         small: !core/ndarray-1.1.0 {{source: 0, datatype: uint8, byteorder: big, shape: [1]}}\n...\n"
    )
    .into_bytes();
    bytes.extend(block(1));
    bytes.push(7);
    bytes.extend(block(LARGE));
    let path = folder.join("in.asdf");
    std::fs::write(&path, &bytes).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(bytes.len() as u64 + LARGE).unwrap();
    path
}

/// Returns a command for which no signal is ignored. The tests themselves can run with ignored signals, under `nohup`
/// or in the background of a shell.
fn command(program: &str) -> Command {
    let reset = "--default-signal";
    let is_known = Command::new("env").args([reset, "true"]).stderr(Stdio::null()).status();
    match is_known.is_ok_and(|status| status.success()) {
        true => {
            let mut command = Command::new("env");
            command.args([reset, program]);
            command
        }
        false => Command::new(program),
    }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Waits until a new file has some bytes.
fn wait_for_writing(folder: &Path, child: &mut Child) {
    let begin = Instant::now();
    loop {
        let growing = std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
            let name = entry.file_name().into_string().unwrap();
            name != "in.asdf" && entry.metadata().is_ok_and(|found| found.len() > 100_000)
        });
        if growing {
            return;
        }
        assert_eq!(child.try_wait().unwrap(), None, "it ended before the signal");
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", names(folder));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a command in the folder of the file, whose output path has an old file with the text `OLD`. Sends a signal,
/// `TERM` or `INT`, while the command writes.
fn interrupted(arguments: &[&str], output: &str, signal: &str, number: i32) {
    let folder = tempfile::tempdir().unwrap();
    input(folder.path());
    std::fs::write(folder.path().join(output), "OLD").unwrap();
    let mut child = command(env!("CARGO_BIN_EXE_asdf"))
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_writing(folder.path(), &mut child);
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.signal(), Some(number), "{arguments:?}: {}", done.status);
    assert_eq!(String::from_utf8_lossy(&done.stderr), "", "{arguments:?}");
    let mut expected = vec!["in.asdf".to_owned(), output.to_owned()];
    expected.sort();
    assert_eq!(names(folder.path()), expected, "{arguments:?}");
    assert_eq!(std::fs::read(folder.path().join(output)).unwrap(), b"OLD", "{arguments:?}");
}

#[test]
fn an_asdf_file_that_is_half_written_is_removed() {
    interrupted(&["convert", "--force", "in.asdf", "out.asdf"], "out.asdf", "INT", 2);
    interrupted(&["defragment", "-f", "-o", "out.asdf", "in.asdf"], "out.asdf", "TERM", 15);
}

#[test]
fn another_file_that_is_half_written_is_removed() {
    interrupted(&["export", "in.asdf", "/large", "-f", "-o", "out.csv"], "out.csv", "TERM", 15);
}

#[test]
fn a_set_of_files_that_is_half_written_is_removed() {
    // By then the file of the small array is complete.
    interrupted(&["explode", "--force", "-o", "out.asdf", "in.asdf"], "out.asdf", "INT", 2);
}

#[test]
fn a_signal_that_is_ignored_does_not_end_the_program() {
    let folder = tempfile::tempdir().unwrap();
    input(folder.path());
    // This is how `nohup` starts a program.
    let mut child = command("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" export in.asdf /large -o out.csv", env!("CARGO_BIN_EXE_asdf")])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_writing(folder.path(), &mut child);
    let kill = |signal: &str| Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(kill("HUP").unwrap().success());
    std::thread::sleep(Duration::from_millis(200));
    assert!(kill("TERM").unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(names(folder.path()), ["in.asdf"]);
}

/// Runs the program in a terminal that `script` creates.
#[test]
#[cfg(target_os = "linux")]
fn a_long_command_shows_its_progress() {
    use std::io::Read as _;

    // Some systems do not have `script`.
    if !Command::new("script").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    input(folder.path());
    let line = format!("{} convert in.asdf out.asdf", env!("CARGO_BIN_EXE_asdf"));
    let mut child = command("script")
        .args(["-qfec", &line, "/dev/null"])
        .env("TERM", "xterm")
        .env("COLUMNS", "100")
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let (mut text, mut piece) = (String::new(), [0; 4096]);
    while !text.contains("% read") || !text.contains(" written") {
        let count = output.read(&mut piece).unwrap();
        assert!(count > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&piece[..count]));
    }
    // The terminal is closed.
    child.kill().unwrap();
    child.wait().unwrap();
    let begin = Instant::now();
    while names(folder.path()) != ["in.asdf"] {
        assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", names(folder.path()));
        std::thread::sleep(Duration::from_millis(10));
    }
}
