//! Rows, columns and filters of files.

use crate::files::{ALL, BROKEN, EXPOSURES, Folder, detector, exposure_time, failure, rows, run};

#[test]
fn every_file_is_a_row() {
    let folder = Folder::new();
    let text = folder.text();
    assert_eq!(rows(&format!("select count(*) from '{text}'")), [ALL.to_string()]);
    assert_eq!(rows(&format!("select count(*) from '{text}/**/*.asdf'")), [ALL.to_string()]);
    assert_eq!(rows(&format!("select count(*) from '{text}/night/*'")), [(EXPOSURES / 2).to_string()]);
    assert_eq!(rows(&format!("select count(*) from '{text}/r0001.asdf'")), ["1"]);
    let listed = rows(&format!("select _file, _size from '{text}' where _size < 3 order by _file"));
    assert_eq!(listed, [format!("{text}/broken1.asdf,2"), format!("{text}/broken2.asdf,0")]);
    let recent = format!("select count(*) from '{text}' where _modified > now() - interval '1 day'");
    assert_eq!(rows(&recent), [ALL.to_string()]);
}

#[test]
fn the_end_of_a_name_is_enough() {
    let folder = Folder::new();
    let text = folder.text();
    let expected: Vec<String> = (0..18)
        .map(|number| {
            let time: f64 = [number, number + 18].map(exposure_time).iter().sum();
            format!("{},2,{time:?}", detector(number))
        })
        .collect();
    let query = format!(
        "select detector, count(*) n, sum(exposure.exposure_time) from '{text}' \
         where roman.meta.instrument.detector is not null group by detector order by detector"
    );
    assert_eq!(rows(&query), expected);
    let joined = format!(
        "select a.detector from '{text}' a join '{text}/r0001.asdf' b on a.detector = b.detector and a.number > b.number"
    );
    assert_eq!(rows(&joined), [detector(1)]);
    let nested = format!("select max(d) from (select detector as d from '{text}') where d like 'WFI0%'");
    assert_eq!(rows(&nested), ["WFI09"]);
}

#[test]
fn names_that_do_not_fit_are_explained() {
    let folder = Folder::new();
    let text = folder.text();
    let (message, code) = failure(&[], &format!("select name from '{text}'"));
    assert_eq!(
        message,
        "several columns end with `name`\n  \
         hint: write more of the name: roman.meta.instrument.name, roman.meta.target.name\n"
    );
    assert_eq!(code, 2);
    let (message, _) = failure(&[], &format!("select detectors from '{text}'"));
    assert_eq!(message, "no column `detectors`\n  hint: did you mean `detector`?\n");
    let (message, _) = failure(&[], &format!("select 1 from '{text}/*.txt'"));
    assert_eq!(message, format!("{text}/*.txt: no file matches the pattern\n"));
    let (message, _) = failure(&[], "choose 1");
    assert!(message.starts_with("the query is not valid: "), "{message}");
}

#[test]
fn broken_files_have_nulls_and_problems() {
    let folder = Folder::new();
    let text = folder.text();
    let query = format!(
        "select count(*), count(detector), count(_standard), count(_problems), count(_valid) from '{text}'"
    );
    let standards = ALL - BROKEN;
    assert_eq!(rows(&query), [format!("{ALL},{EXPOSURES},{standards},{BROKEN},{ALL}")]);
    let query = format!("select _file, _problems from '{text}' where _problems is not null order by _file");
    let found = rows(&query);
    assert_eq!(found.len(), BROKEN);
    assert!(found[0].contains("not an ASDF file"), "{found:?}");
    // The filter does not change what a row says.
    let query = format!("select _problems from '{text}' where detector is null and _problems is not null");
    assert_eq!(rows(&query).len(), BROKEN);

    let output = run(&[&format!("select max(detector) from '{text}'")]);
    let warnings = String::from_utf8(output.stderr).unwrap();
    assert_eq!(warnings.matches("warning: ").count(), BROKEN, "{warnings}");
    // The listing is enough, so no file is opened.
    let output = run(&[&format!("select count(*), sum(_size) from '{text}' where _size > 0")]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn strict_queries_end_at_a_broken_file() {
    let folder = Folder::new();
    let text = folder.text();
    let (message, code) = failure(&["--strict"], &format!("select max(detector) from '{text}'"));
    assert!(message.contains("broken") && !message.contains("External"), "{message}");
    assert_eq!(code, 1);
    let output = run(&["--strict", &format!("select max(detector) from '{text}/night/'")]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn filters_are_evaluated_while_files_are_read() {
    let folder = Folder::new();
    let text = folder.text();
    let query = format!("explain select _file from '{text}' where detector = 'WFI01' and _size > 10");
    let plan = rows(&query).join("\n");
    assert!(plan.contains("predicate=") && !plan.contains("FilterExec"), "{plan}");
    for (filter, expected) in [
        ("detector = 'WFI01'", 2),
        ("detector = 'WFI01' and _size > 1000000", 0),
        ("detector <> 'WFI01'", EXPOSURES - 2),
        ("detector is null", ALL - EXPOSURES),
        ("not (detector = 'WFI01' or number < 30)", 6),
        ("exposure_time between 50 and 80 and detector like 'WFI%'", 11),
        ("length(detector) + _size % 2 = 5 or length(detector) = 5", EXPOSURES),
    ] {
        let query = format!("select _file from '{text}' where {filter}");
        assert_eq!(rows(&query).len(), expected, "{filter}");
        let query = format!("select count(*) from '{text}' where {filter}");
        assert_eq!(rows(&query), [expected.to_string()], "{filter}");
    }
}
