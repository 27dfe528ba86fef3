//! Edits a file and updates it, by copy and in place, beside any journal: the file on disk is always the edited one.

use std::collections::BTreeMap;
use std::path::Path;

use crate::journal;
use crate::round_trip::Choices;
use asdf_core::file::{Padding, UpdateOptions};
use asdf_core::{Compression, File, NdArray, OpenOptions, Threads, WriteOptions};

const KEYS: [&str; 6] = ["/a", "/b", "/c", "/d", "/e", "/f"];
const PADDING: [Padding; 4] = [Padding::None, Padding::Bytes(60), Padding::Percent(50), Padding::Bytes(2000)];
const CODECS: [Compression; 3] = [Compression::NONE, Compression::ZLIB, Compression::LZ4];

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    Array(Vec<u8>),
}

/// The expected contents of the file.
type Model = BTreeMap<&'static str, Value>;

pub fn run(data: &[u8]) {
    let mut choices = Choices::new(data);
    let folder = crate::folder();
    let path = &folder.path().join("file.asdf");
    let mut model = Model::new();
    let mut new = File::new();
    for _ in 0..choices.below(4) {
        edit(&mut new, &mut model, &mut choices);
    }
    options(&mut choices).write(&new, path).expect("a new file is written");
    let mut file = open(path);
    for _ in 0..1 + choices.below(4) {
        if choices.once_in(3) {
            lay(path, &mut choices);
            file = open(path);
            check(&file, &model);
        }
        let mut wanted = model.clone();
        for _ in 0..choices.below(4) {
            edit(&mut file, &mut wanted, &mut choices);
        }
        let update = UpdateOptions::new()
            .in_place(choices.once_in(2))
            .compact(choices.once_in(8))
            .write_options(options(&mut choices));
        update.update(&mut file).expect("the file is updated");
        check(&file, &wanted);
        check(&open(path), &wanted);
        let left = std::fs::read_dir(path.parent().expect("in a folder")).expect("a folder").count();
        // An invalid journal is ignored and can stay.
        assert!(left == 1 || left == 2 && journal::path_of(path).exists(), "{left} files");
        model = wanted;
    }
}

fn open(path: &Path) -> File {
    OpenOptions::new().threads(Threads::ONE).verify_checksums(true).open(path).expect("the file opens")
}

fn options(choices: &mut Choices) -> WriteOptions {
    WriteOptions::new().padding(*choices.of(&PADDING)).threads(Threads::ONE)
}

fn edit(file: &mut File, model: &mut Model, choices: &mut Choices) {
    let key = *choices.of(&KEYS);
    let len = choices.below(400);
    let seed = choices.below(256) as u8;
    let value = match choices.below(3) {
        0 => {
            let text = char::from(b'a' + seed % 26).to_string().repeat(len);
            file.set(key, text.as_str()).expect("a text is set");
            Value::Text(text)
        }
        1 => {
            let bytes: Vec<u8> = (0..len).map(|at| seed.wrapping_mul(at as u8)).collect();
            let array = NdArray::new(&[len as u64], &bytes)
                .and_then(|new| new.with_compression(*choices.of(&CODECS)));
            file.set(key, &array.expect("an array")).expect("an array is set");
            Value::Array(bytes)
        }
        _ => {
            if let Some(root) = file.tree().root().map(|root| root.id()) {
                file.tree_mut().remove(root, &key[1..]);
            }
            model.remove(key);
            return;
        }
    };
    model.insert(key, value);
}

/// Compares a file with its expected contents.
fn check(file: &File, model: &Model) {
    for key in KEYS {
        let found = match file.at(key) {
            Err(_) => None,
            Ok(node) => Some(match node.as_str() {
                Some(text) => Value::Text(text.to_owned()),
                None => Value::Array(file.array(key).and_then(|array| array.read()).expect("an array")),
            }),
        };
        assert_eq!(found.as_ref(), model.get(key), "{key}");
    }
    for checksum in file.verify().expect("the blocks are found") {
        assert!(checksum.expect("the block is read").is_ok());
    }
}

/// Lays a journal beside the file: any bytes, or, over changed bytes of the file, a valid one that restores them.
fn lay(path: &Path, choices: &mut Choices) {
    let bytes = std::fs::read(path).expect("the file is read");
    if choices.once_in(3) {
        let journal: Vec<u8> = (0..choices.below(200)).map(|_| choices.below(256) as u8).collect();
        std::fs::write(journal::path_of(path), journal).expect("a journal is written");
        return;
    }
    let mut ranges = Vec::new();
    let mut at = 0;
    for _ in 0..choices.below(4) {
        let start = at + choices.below(bytes.len() - at + 1);
        at = start + choices.below(bytes.len() - start + 1);
        ranges.push(start..at);
    }
    let mut journal = journal::made(path, &bytes, &ranges);
    if choices.once_in(3) {
        // Damaged, and the file is still as it was.
        let at = choices.below(journal.len());
        journal[at] ^= 1 << choices.below(8);
    } else {
        journal::overwrite(path, &ranges, 0xee);
    }
    std::fs::write(journal::path_of(path), journal).expect("a journal is written");
}
