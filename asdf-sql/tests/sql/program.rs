//! The program: formats, files, standard input.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::files::{EXPOSURES, Folder, failure, run};

fn written(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn results_have_formats() {
    let folder = Folder::new();
    let query = format!(
        "select detector, number, number = 1 as one from '{}/r000[1-4].asdf' order by number",
        folder.text()
    );
    let table = " detector | number | one\n----------+--------+-------\n WFI02    |      1 | true\n WFI04    |      3 | false\n";
    assert_eq!(written(&[&query]), table);
    assert_eq!(written(&["--format", "csv", &query]), "detector,number,one\nWFI02,1,true\nWFI04,3,false\n");
    let json = "{\"detector\":\"WFI02\",\"number\":1,\"one\":true}\n{\"detector\":\"WFI04\",\"number\":3,\"one\":false}\n";
    assert_eq!(written(&["--format", "json", &query]), json);
    // Without rows there is a header.
    assert_eq!(written(&["--format", "csv", &format!("{query} limit 0")]), "detector,number,one\n");
}

#[test]
fn results_are_written_to_files() {
    let folder = Folder::new();
    let query = format!("select * from '{}' order by _file", folder.text());
    for name in ["a.parquet", "a.csv", "a.json", "a.txt"] {
        let path = folder.join(name);
        let output = written(&[&query, "-o", path.to_str().unwrap()]);
        assert_eq!(output, "");
    }
    let bytes = std::fs::read(folder.join("a.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let lines = std::fs::read_to_string(folder.join("a.csv")).unwrap().lines().count();
    assert_eq!(lines, EXPOSURES + 7);
    let (message, _) = failure(&["-o", folder.join("no/a.csv").to_str().unwrap()], "select 1");
    assert!(message.contains("a.csv: "), "{message}");
    // An error leaves no file.
    let path = folder.join("b.csv");
    failure(&["--strict", "-o", path.to_str().unwrap()], &query);
    assert!(!path.exists());
}

#[test]
fn statements_come_from_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_asdf-sql"))
        .args(["--format", "csv"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"select 1 as a;\nselect 2 as b").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "a\n1\nb\n2\n");
}

#[test]
fn fits_files_with_a_tree_are_files() {
    let query = format!(
        "select count(_standard), count(_problems) from '{}/../docs/book/files/*.fits'",
        env!("CARGO_MANIFEST_DIR")
    );
    assert_eq!(written(&["--format", "csv", &query]).lines().nth(1), Some("1,0"));
}
