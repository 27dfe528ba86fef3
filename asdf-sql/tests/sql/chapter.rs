//! The questions of the book, and their answers: alone, on a cluster, and with a killed executor.
//!
//! `UPDATE_EXPECTED=1` writes the answers.

use std::fmt::Write as _;
use std::path::Path;

use crate::archive;
use crate::cluster::Cluster;
use crate::files::{rows_in, run_in};

/// The number of files of the archive in the book.
const FILES: u32 = 1000;

/// Returns the chapter, split before each question: its text, and its query if it has one.
fn questions(chapter: &str) -> Vec<(String, String)> {
    let parts = chapter.split_inclusive("```sql\n").collect::<Vec<_>>();
    let mut questions = Vec::new();
    for pair in parts.windows(2) {
        let (query, _) = pair[1].split_once("\n```\n").unwrap();
        let (_, answer) = pair[1].split_once("```text\n").unwrap();
        let (answer, _) = answer.split_once("```").unwrap();
        questions.push((query.to_owned(), answer.to_owned()));
    }
    questions
}

#[test]
fn the_questions_of_the_book_have_the_same_answers_everywhere() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/book/src/sql.md");
    let mut chapter = std::fs::read_to_string(&path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("night")).unwrap();
    archive::make(&folder.path().join("night"), FILES).unwrap();

    let all = questions(&chapter);
    assert_eq!(all.len(), 10);
    let mut wrong = String::new();
    for (query, expected) in &all {
        let answer = run_in(folder.path(), &[], query);
        if answer != *expected {
            chapter = chapter.replacen(
                &format!("```sql\n{query}\n```\n\n```text\n{expected}```"),
                &format!("```sql\n{query}\n```\n\n```text\n{answer}```"),
                1,
            );
            let _ = write!(wrong, "{query}\nexpected:\n{expected}found:\n{answer}\n");
        }
    }
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(&path, chapter).unwrap();
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }

    let mut cluster = Cluster::start();
    let count = "select count(*) from 'night/'";
    let address = cluster.address.clone();
    let options = ["--cluster", address.as_str()];
    let alone: Vec<Vec<String>> = all.iter().map(|(query, _)| rows_in(folder.path(), &[], query)).collect();
    for ((query, _), alone) in all.iter().zip(&alone) {
        assert_eq!(rows_in(folder.path(), &options, query), *alone, "{query}");
    }
    assert_eq!(rows_in(folder.path(), &options, count), [FILES.to_string()]);
    // The tasks that it had are repeated by the other one.
    std::thread::scope(|scope| {
        let running = scope.spawn(|| {
            all.iter().map(|(query, _)| rows_in(folder.path(), &options, query)).collect::<Vec<_>>()
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        cluster.kill_one();
        assert_eq!(running.join().unwrap(), alone);
    });
    assert_eq!(rows_in(folder.path(), &options, count), [FILES.to_string()]);
}
