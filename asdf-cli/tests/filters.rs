//! Filters that need too much: the program reports it and never crashes.
#![cfg(feature = "query")]

use std::process::Command;

/// Runs a filter and returns the exit code and the messages.
fn query(options: &[&str], filter: &str) -> (Option<i32>, String) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/files/good.asdf");
    let mut asdf = Command::new(env!("CARGO_BIN_EXE_asdf"));
    let output = asdf.arg("query").args(options).args([file, filter]).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("messages are text"))
}

#[test]
fn nesting_is_limited() {
    let stack = ["--limit-filter-stack", "1M"];
    for filter in [
        "(".repeat(20_000),
        "[".repeat(20_000),
        format!("1{}", "+1".repeat(30_000)),
        format!(".{}", "|.".repeat(50_000)),
        format!("{}1{}", "if . then ".repeat(5_000), " else 2 end".repeat(5_000)),
        "def f: 1 + f; f".to_owned(),
        "reduce range(200000) as $i (null; [.]) | length".to_owned(),
        "reduce range(200000) as $i (null; [.])".to_owned(),
        "[range(100000) | \"[\"] | add | fromjson | length".to_owned(),
    ] {
        let (code, messages) = query(&stack, &filter);
        let start: String = filter.chars().take(30).collect();
        assert!(matches!(code, Some(1 | 2)), "{start}: {code:?} {messages}");
        assert!(messages.contains("nested too deeply"), "{start}: {messages}");
        assert!(messages.contains("hint: raise --limit-filter-stack for"), "{start}: {messages}");
    }
}

#[cfg(unix)]
#[test]
fn memory_and_time_are_limited() {
    let (code, messages) = query(&["--limit-filter-memory", "64M"], "[limit(1e12; repeat(1))]");
    assert_eq!(code, Some(1), "{messages}");
    assert!(messages.contains("good.asdf: the filter needs too much memory\n"), "{messages}");
    assert!(messages.contains("hint: raise --limit-filter-memory for"), "{messages}");
    let (code, messages) = query(&["--limit-filter-time", "1"], "range(infinite) | empty");
    assert_eq!(code, Some(1), "{messages}");
    assert!(messages.contains("good.asdf: the filter takes too much computing time\n"), "{messages}");
    assert!(messages.contains("hint: raise --limit-filter-time for"), "{messages}");
}

#[test]
fn filters_cannot_import() {
    for filter in ["import \"x\" as $x; $x", "import \"x\" as x; .", "include \"x\"; ."] {
        let (code, messages) = query(&[], filter);
        assert_eq!(code, Some(2), "{filter}: {messages}");
        assert!(messages.starts_with("the filter: "), "{filter}: {messages}");
    }
}

#[test]
fn values_before_the_limit_are_printed() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/files/good.asdf");
    let mut asdf = Command::new(env!("CARGO_BIN_EXE_asdf"));
    let filter = ".target, error(\"x\")";
    let output = asdf.args(["query", file, filter]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "\"M31\"\n");
    assert_eq!(output.status.code(), Some(1));
}
