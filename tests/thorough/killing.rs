//! Kills a program while it changes a file. The file at the path must always be complete.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use asdf_core::{File, OpenOptions};

const KILLS: u64 = 15;

/// Repeatedly starts the program on a file, kills it after a while, and checks the file.
fn kill_again_and_again(way: &str, check: impl Fn(&Path) -> u64) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    let (mut last, mut progress, mut patience) = (0, 0, 1_u64);
    for kill in 0..KILLS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_change_in_a_loop"))
            .arg(way)
            .arg(&path)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        while !path.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Spread the kills over several rounds of work, whose duration depends on the machine.
        std::thread::sleep(Duration::from_micros(patience * (5_000 + (kill * 7_919) % 20_000)));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), None, "{way}: {}", String::from_utf8_lossy(&output.stderr));
        let found = check(&path);
        assert!(found >= last, "{way}: {found} after {last}");
        if found > last {
            progress += 1;
        } else {
            patience = (patience * 2).min(64);
        }
        last = found;
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert!(left <= 2, "{way}: {left} files");
    }
    assert!(progress > 0, "{way}: the program was always killed before it did anything");
}

fn round_of(path: &Path) -> u64 {
    let file = OpenOptions::new().verify_checksums(true).open(path).unwrap();
    let round: i32 = file.get("/round").unwrap();
    for name in ["/a", "/b", "/c"] {
        assert!(file.array(name).unwrap().read::<i32>().unwrap().iter().all(|&value| value == round));
    }
    u64::try_from(round).unwrap()
}

#[test]
fn a_killed_write_leaves_a_whole_file() {
    kill_again_and_again("write", round_of);
}

#[test]
fn a_killed_update_leaves_a_whole_file() {
    kill_again_and_again("update", round_of);
}

#[test]
fn a_killed_update_in_place_leaves_a_whole_file() {
    kill_again_and_again("in_place", round_of);
}

#[test]
fn a_killed_stream_leaves_whole_rows() {
    kill_again_and_again("append", |path| {
        let rows: Vec<u64> = File::open(path).unwrap().array("/rows").unwrap().read().unwrap();
        assert_eq!(rows.len() % 1000, 0);
        assert!(rows.chunks(1000).zip(0..).all(|(row, number)| row.iter().all(|&value| value == number)));
        rows.len() as u64 / 1000
    });
}
