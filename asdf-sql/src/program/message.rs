//! Errors in words for people, without the names of inner layers.

use asdf_core::Error;
use asdf_core::error::Kind;
use asdf_core::printable::lines;
use asdf_sql::lost_executor;
use datafusion::common::{DataFusionError, SchemaError};
use datafusion::sql::sqlparser::parser::ParserError;

/// How a program ends after an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A file is not as expected.
    Problems,
    /// The query, the network or the machine.
    Failure,
}

/// Returns the lines of an error, and how the program ends.
pub(crate) fn message(error: &DataFusionError) -> (String, Ending) {
    if let Some(own) = own(error) {
        let is_about_content = matches!(own.kind(), Kind::Malformed | Kind::Limit | Kind::Mismatch);
        let ending = if is_about_content { Ending::Problems } else { Ending::Failure };
        return (lines(&own.to_string()), ending);
    }
    if lost_executor(error) {
        let text =
            "the cluster lost an executor, or none runs\n  hint: start executors, and run the query again";
        return (text.to_owned(), Ending::Failure);
    }
    let text = match error.find_root() {
        DataFusionError::SQL(error, _) => match error.as_ref() {
            ParserError::TokenizerError(text) | ParserError::ParserError(text) => {
                format!("the query is not valid: {text}")
            }
            ParserError::RecursionLimitExceeded => "the query is nested too deeply".to_owned(),
        },
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::AmbiguousReference { field } => {
                format!("several tables have a column `{}`\n  hint: write its table before it", field.name)
            }
            error => error.to_string(),
        },
        root => {
            let text = root.strip_backtrace();
            if let Some(reason) = of_connection(&text) {
                let hint = "check its address, and that `asdf-sql scheduler` runs there";
                return (
                    lines(&format!("cannot reach the scheduler: {reason}\n  hint: {hint}")),
                    Ending::Failure,
                );
            }
            if let Some((text, ending)) = of_task(&text) {
                return (lines(&text), ending);
            }
            plain(&text)
        }
    };
    (lines(&text), Ending::Failure)
}

/// The error of a file or an argument in an error of DataFusion.
fn own(error: &DataFusionError) -> Option<&Error> {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(found) = cause {
        if let Some(own) = found.downcast_ref::<Error>() {
            return Some(own);
        }
        if let Some(DataFusionError::External(inner)) = found.downcast_ref::<DataFusionError>() {
            if let Some(own) = inner.downcast_ref::<Error>() {
                return Some(own);
            }
        }
        cause = found.source();
    }
    None
}

/// The reason in the text of a failed connection.
fn of_connection(text: &str) -> Option<String> {
    let (_, inner) = text.split_once("tonic::transport::Error(")?;
    let said = |name: &str| Some(inner.rsplit_once(name)?.1.split_once('"')?.0.to_lowercase());
    Some(
        said("message: \"")
            .or_else(|| said("error: \""))
            .unwrap_or_else(|| "no scheduler answers there".to_owned()),
    )
}

/// The error of a file in the text of a failed task, which has the names of all layers around it.
fn of_task(text: &str) -> Option<(String, Ending)> {
    const LAYER: &str = "External(";
    const KINDS: [(&str, Ending); 7] = [
        ("Malformed: ", Ending::Problems),
        ("Mismatch: ", Ending::Problems),
        ("Limit: ", Ending::Problems),
        ("Missing: ", Ending::Failure),
        ("Unsupported: ", Ending::Failure),
        ("Usage: ", Ending::Failure),
        ("Io: ", Ending::Failure),
    ];
    let at = text.rfind(LAYER)? + LAYER.len();
    let (outer, mut inner) = text.split_at_checked(at)?;
    let count = |of: char| outer.matches(of).count();
    for _ in count(')')..count('(') {
        inner = inner.strip_suffix(')').unwrap_or(inner);
    }
    let (ending, message) =
        KINDS.iter().find_map(|(kind, ending)| Some((*ending, inner.strip_prefix(kind)?)))?;
    Some((message.to_owned(), ending))
}

/// Removes the names of inner layers from the start of a text.
fn plain(text: &str) -> String {
    /// What DataFusion and Ballista put before messages.
    const LAYERS: [&str; 9] = [
        "Error during planning: ",
        "External error: ",
        "Execution error: ",
        "Arrow error: ",
        "Schema error: ",
        "Internal error: ",
        "DataFusion error: ",
        "General error: ",
        "This feature is not implemented: ",
    ];
    let mut rest = text;
    while let Some(inner) = LAYERS.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = inner;
    }
    let rest = rest.split("\n\nbacktrace:").next().unwrap_or(rest).trim_end();
    // The list of signatures is long, and says what to do at its end.
    if let Some((_, types)) = rest.split_once("No function matches the given name and argument types '") {
        let call = types.split('\'').next().unwrap_or_default();
        return format!(
            "no function `{call}`\n  hint: check its arguments, or convert them, as in `cast(x as double)`"
        );
    }
    // A missing function has a suggestion in a second line.
    match rest.split_once(".\nDid you mean ") {
        Some((missing, similar)) => {
            format!("{}\n  hint: did you mean {similar}", missing.replacen('I', "i", 1))
        }
        None => rest.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_files_are_found_below_other_errors() {
        let own = Error::malformed("not an ASDF file").at_file("a.asdf");
        let error = DataFusionError::External(Box::new(own)).context("reading");
        assert_eq!(message(&error), ("a.asdf: not an ASDF file".to_owned(), Ending::Problems));
        let error = DataFusionError::Plan("table 'x' not found".to_owned());
        assert_eq!(message(&error), ("table 'x' not found".to_owned(), Ending::Failure));
        let error = DataFusionError::Plan("Invalid function 'cont'.\nDid you mean 'count'?".to_owned());
        let matched =
            "Function 'avg' failed. No function matches the given name and argument types 'avg(Utf8)'. You";
        let expected = "no function `avg(Utf8)`\n  hint: check its arguments, or convert them, as in `cast(x as double)`";
        assert_eq!(plain(matched), expected);
        assert_eq!(message(&error).0, "invalid function 'cont'\n  hint: did you mean 'count'?");
    }

    #[test]
    fn failed_connections_have_their_reason() {
        let text =
            |inner: &str| message(&DataFusionError::Execution(format!("tonic::transport::Error({inner})"))).0;
        let hint = "\n  hint: check its address, and that `asdf-sql scheduler` runs there";
        let refused =
            r#"Transport, ConnectError("tcp", 1.2.3.4:1, Os { code: 111, message: "Connection refused" })"#;
        assert_eq!(text(refused), format!("cannot reach the scheduler: connection refused{hint}"));
        let unknown = r#"Transport, ConnectError("dns error", Custom { kind: Uncategorized, error: "failed to lookup" })"#;
        assert_eq!(text(unknown), format!("cannot reach the scheduler: failed to lookup{hint}"));
        let other = "Transport, hyper::Error(Http2, Error { kind: GoAway })";
        assert_eq!(text(other), format!("cannot reach the scheduler: no scheduler answers there{hint}"));
    }

    #[test]
    fn errors_of_files_are_found_in_failed_tasks() {
        let text = "Job 1 failed: Job failed due to stage 0 failed: Task failed due to runtime execution error: \
                    DataFusionError(Shared(External(DataFusionError(External(Malformed: a.asdf: no tree (x))))))";
        let error = DataFusionError::Execution(text.to_owned());
        assert_eq!(message(&error), ("a.asdf: no tree (x)".to_owned(), Ending::Problems));
    }
}
