//! The program as people run it. The files `console/*.console` have commands with their output, and `? N` if the exit
//! code is not 0. The commands of a file run in order, in a folder that `folder` creates. The blocks of
//! commands in the README and in the book are such cases too. `UPDATE_EXPECTED=1` writes the current output to these
//! files: review it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use asdf_core::Threads;

#[allow(dead_code, reason = "its function `main` is that of the example")]
#[path = "../../asdf-core/examples/sky.rs"]
mod sky;

/// A folder with small files of many kinds.
fn folder() -> tempfile::TempDir {
    copy_of("tests/console/files")
}

/// A temporary folder with the files of another one.
fn copy_of(files: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(files);
    for entry in walkdir::WalkDir::new(&from) {
        let entry = entry.unwrap();
        let to = folder.path().join(entry.path().strip_prefix(&from).unwrap());
        match entry.file_type().is_dir() {
            true => std::fs::create_dir_all(to).unwrap(),
            false => drop(std::fs::copy(entry.path(), to).unwrap()),
        }
    }
    folder
}

/// Returns the output of a command line: standard output, then standard error, then the exit code if it is not 0.
fn run(line: &str, folder: &Path, scratch: &Path) -> String {
    let line = line.strip_prefix("$ ").unwrap();
    // Cases use the syntax of any POSIX shell: pipes, redirections, quotes.
    let program = Path::new(env!("CARGO_BIN_EXE_asdf")).parent().unwrap();
    let path = std::env::join_paths(
        [program.to_path_buf()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path.unwrap())
        .env_remove("CLICOLOR_FORCE")
        .env_remove("ASDF_PACKAGES")
        .env("XDG_CONFIG_HOME", scratch)
        .env("COLUMNS", "100")
        .env("TMPDIR", scratch)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push_str("(no newline)\n");
    }
    match output.status.code() {
        Some(0) => {}
        code => writeln!(text, "? {}", code.map_or("signal".to_owned(), |code| code.to_string())).unwrap(),
    }
    let folder = folder.canonicalize().unwrap();
    text.replace(env!("CARGO_PKG_VERSION"), "[VERSION]").replace(&folder.display().to_string(), "[FOLDER]")
}

/// Returns the text of a case with the current output of its commands.
fn rerun(case: &str, folder: &Path) -> String {
    // Texts that `asdf edit` keeps are removed with this folder.
    let scratch = tempfile::tempdir().unwrap();
    let mut text = String::new();
    let mut lines = case.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("$ ") {
            writeln!(text, "{line}").unwrap();
            text.push_str(&run(line, folder, scratch.path()));
        } else if line.starts_with("# ") {
            writeln!(text, "{line}").unwrap();
        } else if line.is_empty() && lines.peek().is_some_and(|next| next.starts_with(['$', '#'])) {
            // An empty line before a command belongs to the case; others belong to the output.
            writeln!(text).unwrap();
        }
    }
    text
}

#[test]
#[cfg(unix)]
fn commands_print_the_expected_output() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console");
    let paths = std::fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path());
    let paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "console")).collect();
    // Cases are independent and mostly wait for programs, so they run in parallel.
    let wrong = Threads::ALL.map(&paths, |path| {
        let case = std::fs::read_to_string(path).unwrap();
        let now = rerun(&case, folder().path());
        if now != case && std::env::var_os("UPDATE_EXPECTED").is_some() {
            std::fs::write(path, &now).unwrap();
        }
        (now != case).then(|| format!("{}:\n{now}", path.display()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!paths.is_empty(), "no cases");
}

/// Runs the blocks of commands in a Markdown file in order, in one folder. Returns the number of commands that start the
/// program, and an error if the file shows another output.
#[cfg(unix)]
fn check_page(path: &Path, folder: &Path) -> (usize, Option<String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut parts = text.split("```console\n");
    let mut now = parts.next().unwrap().to_owned();
    let mut count = 0;
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        count += block.lines().filter(|line| line.starts_with("$ asdf ")).count();
        let block = rerun(block, folder).replace("[VERSION]", env!("CARGO_PKG_VERSION"));
        now.push_str(&format!("```console\n{block}```{rest}"));
    }
    if now != text && std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let wrong = (now != text).then(|| format!("{} should be:\n{now}", path.display()));
    (count, wrong)
}

#[test]
#[cfg(unix)]
fn the_readme_shows_the_current_output() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let (count, wrong) = check_page(&path, tempfile::tempdir().unwrap().path());
    assert!(wrong.is_none(), "{}", wrong.unwrap());
    assert!(count >= 5, "the README shows only {count} commands");
}

/// Each chapter of the book starts in a folder with the files of `docs/book/files` and the image `sky.asdf`. A picture in
/// a chapter is the file of the same name that its commands write.
#[test]
#[cfg(unix)]
fn the_book_shows_the_current_output() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src");
    let image = tempfile::tempdir().unwrap();
    let image = image.path().join("sky.asdf");
    sky::write(&image).unwrap();
    let mut chapters: Vec<_> =
        walkdir::WalkDir::new(&root).into_iter().map(|entry| entry.unwrap().into_path()).collect();
    chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let checked = Threads::ALL.map(&chapters, |chapter| {
        let folder = copy_of("../docs/book/files");
        std::fs::copy(&image, folder.path().join("sky.asdf")).unwrap();
        let (count, wrong) = check_page(chapter, folder.path());
        let mut wrong: Vec<String> = wrong.into_iter().collect();
        for picture in std::fs::read_to_string(chapter).unwrap().split("](images/").skip(1) {
            let name = picture.split(')').next().unwrap();
            let shown = chapter.parent().unwrap().join("images").join(name);
            let drawn = std::fs::read(folder.path().join(name)).unwrap();
            if std::fs::read(&shown).ok().as_ref() != Some(&drawn) {
                wrong.push(format!("{} differs from the picture that the program writes", shown.display()));
                if std::env::var_os("UPDATE_EXPECTED").is_some() {
                    std::fs::create_dir_all(shown.parent().unwrap()).unwrap();
                    std::fs::write(&shown, &drawn).unwrap();
                }
            }
        }
        (count, wrong)
    });
    let wrong: Vec<&String> = checked.iter().flat_map(|(_, wrong)| wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let count: usize = checked.iter().map(|(count, _)| count).sum();
    assert!(count >= 60, "the book shows only {count} commands");
}
