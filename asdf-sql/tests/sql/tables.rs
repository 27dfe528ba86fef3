//! Tables that functions make: rows, violations and blocks.

use crate::files::{BROKEN, EXPOSURES, Folder, failure, rows, rows_with};

#[test]
fn rows_of_tables_in_files() {
    let folder = Folder::new();
    let text = folder.text();
    let table = format!("asdf_rows('{text}', '/roman/catalog')");
    let sum: f64 = (0..EXPOSURES).map(|number| number as f64 / 2.0 + 0.25).sum();
    let query = format!("select count(*), count(distinct _file), sum(flux) from {table}");
    assert_eq!(rows(&query), [format!("{},{EXPOSURES},{sum:?}", 2 * EXPOSURES)]);
    let query = format!("select label, flux from {table} where label >= 30 order by label limit 2");
    assert_eq!(rows(&query), ["30,15.0", "31,15.5"]);
    // An array is a table with one column.
    let query = format!("select count(*) from asdf_rows('{text}', '/roman/data')");
    assert_eq!(rows(&query), [(8 * EXPOSURES).to_string()]);
    let joined = format!(
        "select f.detector, r.flux from {table} r join '{text}' f on r._file = f._file where r.label = 5"
    );
    assert_eq!(rows(&joined), ["WFI06,2.5"]);
    let (message, _) = failure(&[], &format!("select 1 from asdf_rows('{text}', '/nothing')"));
    assert_eq!(message, "/nothing: none of the files has a table or an array there\n");
    let (message, _) = failure(&[], &format!("select 1 from asdf_rows('{text}')"));
    assert!(message.contains("write asdf_rows('FILES', '/PATH')"), "{message}");
}

#[test]
fn broken_files_are_violations() {
    let folder = Folder::new();
    let text = folder.text();
    let query =
        format!("select _file, code, line from violations('{text}') where severity = 'error' order by _file");
    let found = rows(&query);
    assert_eq!(found.len(), BROKEN, "{found:?}");
    assert!(found[0].starts_with(&format!("{text}/broken1.asdf,ASDF-F")), "{found:?}");
    assert!(found[2].ends_with(",3") || found[2].ends_with(",4"), "{found:?}");
    let query = format!("select count(*) from '{text}' where not _valid");
    assert_eq!(rows(&query), [BROKEN.to_string()]);
}

#[test]
fn blocks_of_files() {
    let folder = Folder::new();
    let text = folder.text();
    let query = format!("select count(*), max(block), sum(data_size) from blocks('{text}')");
    let size = 8 * 8 * 4 + 2 * 4 + 2 * 8;
    assert_eq!(rows(&query), [format!("{},2,{}", 3 * EXPOSURES, size * EXPOSURES)]);
    let query =
        format!("select compression, streamed, length(checksum) from blocks('{text}/r0001.asdf') limit 1");
    assert_eq!(rows(&query), [",false,32"]);
}

#[test]
fn tables_have_names_and_schemas() {
    let folder = Folder::new();
    let text = folder.text();
    let table = format!("L2={text}/r*.asdf");
    assert_eq!(rows_with(&["--table", &table], "select count(*) from l2"), [(EXPOSURES / 2).to_string()]);
    let table = format!("software={text},schema=core/software-1.0.0");
    let query = "select name, count(*) from software where name is not null group by name";
    let found = rows_with(&["--table", &table], query);
    assert_eq!(found.len(), 1, "{found:?}");
    let (message, code) = failure(&["--table", "l2"], "select 1");
    assert!(message.contains("write NAME=FILES"), "{message}");
    assert_eq!(code, 2);
}

#[test]
fn statements_make_tables() {
    let folder = Folder::new();
    let text = folder.text();
    let make =
        |rest: &str| format!("create external table l2 stored as asdf location '{text}/r*.asdf'{rest}; ");
    let query = make("") + "select count(*) from l2 where exposure_time is not null";
    assert_eq!(rows(&query).last().unwrap(), &(EXPOSURES / 2).to_string());
    let query = make(" options (rows '/roman/catalog')") + "select count(*) from l2";
    assert_eq!(rows(&query).last().unwrap(), &EXPOSURES.to_string());
    let query = make(" options (schema 'core/software-1.0.0')") + "select count(name) from l2";
    assert_eq!(rows(&query).last().unwrap(), &(EXPOSURES / 2).to_string());
    let (message, code) = failure(&[], &make(" options (colour 'red')"));
    assert!(
        message.contains("unknown option 'colour'\n  hint: the options are schema, table, package"),
        "{message}"
    );
    assert_eq!(code, 2);
    let columns = format!("create external table l2 (a int) stored as asdf location '{text}'");
    let (message, _) = failure(&[], &columns);
    assert!(message.contains("a table of ASDF files cannot have columns"), "{message}");
    let (message, _) = failure(&[], "create external table l2 stored as asdf location '/nothing/'");
    assert!(message.contains("/nothing/"), "{message}");
}
