//! Errors in words for people, without the names of inner layers.

use asdf_core::Error;
use asdf_core::error::Kind;
use asdf_core::printable::lines;
use datafusion::common::{DataFusionError, SchemaError};

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
    let text = match error.find_root() {
        DataFusionError::SQL(error, _) => {
            let text = error.to_string();
            let text = text.strip_prefix("sql parser error: ").unwrap_or(&text);
            format!("the query is not valid: {text}")
        }
        DataFusionError::SchemaError(error, _) => match error.as_ref() {
            SchemaError::AmbiguousReference { field } => {
                format!("several tables have a column `{}`\n  hint: write its table before it", field.name)
            }
            error => error.to_string(),
        },
        root => plain(&root.strip_backtrace()),
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
    // The messages of tasks have the name of the task before them.
    if let Some(at) = rest.rfind("External error: ") {
        rest = rest.get(at..).unwrap_or(rest);
    }
    while let Some(inner) = LAYERS.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = inner;
    }
    let rest = rest.split("\n\nbacktrace:").next().unwrap_or(rest).trim_end();
    rest.to_owned()
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
        let task = "Job x failed: Task 3: DataFusion error: External error: a.asdf: at byte 0: no tree";
        assert_eq!(plain(task), "a.asdf: at byte 0: no tree");
    }
}
