//! What several fuzz targets share. The checks of round trips are those of the property tests in `tests/`.

pub mod journal;
#[path = "../../tests/src/round_trip/mod.rs"]
pub mod round_trip;
pub mod tables;

use std::path::{Path, PathBuf};

/// Creates an empty folder of this process, in memory if the system has such folders.
pub fn folder(name: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let parent = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    let folder = parent.join(format!("asdf-fuzz-{name}-{}", std::process::id()));
    // An earlier process with the same number.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the files of a target");
    folder
}
