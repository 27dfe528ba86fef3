//! Calls the methods of the generated types on every unit, quantity and time of the corpus, if it exists.

use std::path::{Path, PathBuf};

use asdf_core::value::Asdf;
use asdf_core::{File, FromNode};
use asdf_schemas::time::Time;
use asdf_schemas::unit::{Quantity, Unit};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "asdf") {
            found.push(path);
        }
    }
}

#[test]
fn units_quantities_and_times_of_real_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/files");
    if !folder.is_dir() {
        return;
    }
    let mut paths = Vec::new();
    files(&folder, &mut paths);
    let (mut counts, mut faults) = ([0; 3], Vec::new());
    for path in &paths {
        let Ok(file) = File::open(path) else { continue };
        for node in file.tree().root().into_iter().flat_map(|root| root.walk()) {
            let Some(tag) = node.own_tag() else { continue };
            let of = |result: asdf_core::Result<bool>| match result {
                Ok(true) => None,
                Ok(false) => Some(format!("{}: not known: {}", path.display(), node.describe())),
                Err(error) => Some(format!("{}: {error}", path.display())),
            };
            let (kind, fault) = if tag == Unit::TAG {
                // Roman's files write `none` for a value without a unit.
                let known = |unit: &Unit| unit.parsed().is_known() || unit.get() == "none";
                (0, of(Unit::from_node(node).map(|unit| known(&unit))))
            } else if <Quantity as FromNode>::accepts_tag(tag) {
                let read = Quantity::from_node(node)
                    .and_then(|quantity| Ok(quantity.to(quantity.unit.get())?.shape() == quantity.shape()));
                (1, of(read))
            } else if <Time as FromNode>::accepts_tag(tag) {
                (2, of(Time::from_node(node).and_then(|time| Ok(!time.instants()?.is_empty()))))
            } else {
                continue;
            };
            if let (Some(count), faults_too) = (counts.get_mut(kind), &mut faults) {
                *count += 1;
                faults_too.extend(fault);
            }
        }
    }
    assert!(faults.is_empty(), "{counts:?}\n{}", faults.join("\n"));
    // The corpus is large enough that some files have each of these.
    assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
    println!("{counts:?}");
}
