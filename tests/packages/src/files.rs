//! Reads every tagged node of real files into its type and writes it back.

use std::path::Path;

use asdf_core::error::Hint;
use asdf_core::{Error, File, Result};

use crate::readers::Reader;
use crate::same::difference;

pub(crate) fn run(folder: &Path) -> Result<bool> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map_err(|error| Error::io("reading a folder of files", error).at_file(folder))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "asdf"))
        .collect();
    paths.sort();
    let (mut right, mut values, mut unknown) = (0, 0, std::collections::BTreeSet::new());
    let (mut others, mut fitting, mut apart) = (0, 0, std::collections::BTreeSet::new());
    for path in &paths {
        let file = File::open(path)?;
        let mut wrong = Vec::new();
        let Some(root) = file.tree().root() else { continue };
        let mut walk = root.walk();
        while let Some(node) = walk.next() {
            let Some(tag) = node.own_tag() else { continue };
            let Some(reader) = Reader::of_tag(tag) else {
                unknown.insert(tag.to_owned());
                continue;
            };
            values += 1;
            let mut try_reader = |reader: &Reader, is_refused: fn(&Error) -> bool| match reader.through(node)
            {
                Err(error) if is_refused(&error) => false,
                Err(error) => {
                    wrong.push(format!("{} as {}: {error}", walk.path(), reader.name));
                    false
                }
                Ok(tree) => {
                    let difference = tree.root().and_then(|written| difference(node, written));
                    let is_same = difference.is_none();
                    wrong.extend(
                        difference
                            .map(|difference| format!("{} as {}: {difference}", walk.path(), reader.name)),
                    );
                    is_same
                }
            };
            try_reader(reader, |_| false);
            if let Some(current) = reader.current() {
                others += 1;
                let names_type = |error: &Error| matches!(error.hint(), Some(Hint::UseType(_)));
                if try_reader(current, names_type) {
                    fitting += 1;
                } else {
                    apart.insert(tag.to_owned());
                }
            }
        }
        if wrong.is_empty() {
            right += 1;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // An error in a node is also one of its parents; the last error is that of the innermost node.
        for why in wrong.iter().rev().take(3) {
            println!("{name}: {}", why.chars().take(600).collect::<String>());
        }
    }
    for tag in unknown {
        println!("no type has the tag {tag}");
    }
    for tag in apart {
        println!("the type of the current version does not read all values tagged {tag}");
    }
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    println!(
        "files of {name} whose {values} tagged values are equal after their types: {right} of {}",
        paths.len()
    );
    println!("values of other versions that the types of the current ones read: {fitting} of {others}");
    Ok(right == paths.len())
}
