//! What an error of the engine means, in words, at its node. Of alternatives that all fail, the one
//! that was meant is told: the one that got farthest.

use asdf_core::Path;
use asdf_core::tree::NodeRef;
use jsonschema::error::{TypeKind, ValidationErrorKind as Rule};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::Violation;

/// Adds what an error says about a node.
pub(super) fn explain(error: &ValidationError<'_>, root: NodeRef<'_>, out: &mut Vec<Violation>) {
    let pointer = error.instance_path().to_string();
    let Some(node) = root.find(&pointer) else {
        return out.push(Violation::at(root, path(&pointer), error.kind().keyword(), error.to_string()));
    };
    // A reference stands for something else, which fits or not: nothing is known here.
    if is_below_reference(root, &pointer) {
        return;
    }
    let rule = error.kind().keyword().to_owned();
    let mut add = |message: String| out.push(Violation::at(node, path(&pointer), &rule, message));
    match error.kind() {
        Rule::AnyOf { context } | Rule::OneOfNotValid { context } => match farthest(context, &pointer) {
            Some(branch) => {
                for error in branch {
                    explain(error, root, out);
                }
            }
            None => add(format!("found {}, expected {}", node.describe(), alternatives(context, &pointer))),
        },
        Rule::AdditionalProperties { unexpected } => {
            for name in unexpected {
                let key = node.entries().map(|(key, _)| key).find(|key| key.text() == Some(name.as_str()));
                let mut at = path(&pointer);
                at.push(name);
                let message = format!("the property '{}' is not allowed here", name.escape_debug());
                out.push(Violation::at(key.unwrap_or(node), at, &rule, message));
            }
        }
        _ => add(sentence(error, node)),
    }
}

fn path(pointer: &str) -> Path {
    let mut path = Path::root();
    for step in pointer.split('/').skip(1) {
        path.push(&step.replace("~1", "/").replace("~0", "~"));
    }
    path
}

fn is_below_reference(root: NodeRef<'_>, pointer: &str) -> bool {
    let mut node = root;
    let mut steps = pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    loop {
        if node.get("$ref").is_some() {
            return true;
        }
        match steps.next().and_then(|step| node.child(&step)) {
            Some(child) => node = child,
            None => return false,
        }
    }
}

/// The alternative that took the node for its own and failed below it, or on more than its kind.
fn farthest<'e>(
    context: &'e [Vec<ValidationError<'static>>],
    pointer: &str,
) -> Option<&'e Vec<ValidationError<'static>>> {
    let depth = |error: &ValidationError<'_>| error.instance_path().to_string().matches('/').count();
    let refused_outright = |errors: &[ValidationError<'_>]| {
        errors.iter().any(|error| {
            let here = error.instance_path().to_string() == pointer;
            here && is_about_kind(error)
        })
    };
    context
        .iter()
        .filter(|errors| !errors.is_empty() && !refused_outright(errors))
        .max_by_key(|errors| errors.iter().map(depth).max())
}

/// Whether an error says that the node is something else altogether.
fn is_about_kind(error: &ValidationError<'_>) -> bool {
    match error.kind() {
        Rule::Type { .. } | Rule::Enum { .. } => true,
        Rule::Custom { keyword, .. } => keyword == "tag" || keyword == super::normal::NO_TIMESTAMP,
        Rule::AnyOf { context } | Rule::OneOfNotValid { context } => {
            farthest(context, &error.instance_path().to_string()).is_none()
        }
        _ => false,
    }
}

/// What the alternatives ask for: "a string, null or a node tagged ...".
fn alternatives(context: &[Vec<ValidationError<'static>>], pointer: &str) -> String {
    let mut wanted: Vec<String> = Vec::new();
    collect(context, pointer, &mut wanted);
    match wanted.split_last() {
        None => "another value".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

fn collect(context: &[Vec<ValidationError<'static>>], pointer: &str, wanted: &mut Vec<String>) {
    for error in context.iter().flatten() {
        if error.instance_path().to_string() != pointer {
            continue;
        }
        let text = match error.kind() {
            Rule::Type { kind } => kind_text(kind),
            Rule::Enum { options } => enumeration(options),
            Rule::Custom { message, .. } => match message.split_once("expected ") {
                Some((_, expected)) => expected.to_owned(),
                None => continue,
            },
            Rule::AnyOf { context } | Rule::OneOfNotValid { context } => {
                collect(context, pointer, wanted);
                continue;
            }
            _ => continue,
        };
        if !wanted.contains(&text) {
            wanted.push(text);
        }
    }
}

fn sentence(error: &ValidationError<'_>, node: NodeRef<'_>) -> String {
    let found = node.describe();
    let length = |limit: &u64, noun: &str, bound: &str| {
        let plural = if *limit == 1 { "" } else { "s" };
        format!("found {found}, expected {bound} {limit} {noun}{plural}")
    };
    match error.kind() {
        Rule::Type { kind } => format!("found {found}, expected {}", kind_text(kind)),
        Rule::Required { property } => {
            format!("the required property '{}' is missing", text(property).escape_debug())
        }
        Rule::Enum { options } => format!("found {found}, expected {}", enumeration(options)),
        Rule::Pattern { pattern } => {
            const SHOWN: usize = 80;
            let mut shown: String = pattern.chars().take(SHOWN).collect();
            if pattern.chars().nth(SHOWN).is_some() {
                shown.push('…');
            }
            format!("found {found}, expected a match of the pattern {shown}")
        }
        Rule::MaxLength { limit } => length(limit, "character", "at most"),
        Rule::MinLength { limit } => length(limit, "character", "at least"),
        Rule::MaxItems { limit } => length(limit, "item", "at most"),
        Rule::MinItems { limit } => length(limit, "item", "at least"),
        Rule::AdditionalItems { limit } => length(&(*limit as u64), "item", "at most"),
        Rule::MaxProperties { limit } => format!("found {found}, expected at most {limit} properties"),
        Rule::MinProperties { limit } => format!("found {found}, expected at least {limit} properties"),
        Rule::Maximum { limit } => format!("found {found}, expected at most {limit}"),
        Rule::Minimum { limit } => format!("found {found}, expected at least {limit}"),
        Rule::ExclusiveMaximum { limit } => format!("found {found}, expected less than {limit}"),
        Rule::ExclusiveMinimum { limit } => format!("found {found}, expected more than {limit}"),
        Rule::MultipleOf { multiple_of } => format!("found {found}, expected a multiple of {multiple_of}"),
        Rule::UniqueItems => format!("found {found}, of which some are equal"),
        Rule::Not { .. } => format!("found {found}, which the schema excludes"),
        Rule::OneOfMultipleValid { .. } => {
            format!("found {found}, which fits more than one of the alternatives")
        }
        Rule::Custom { message, .. } => message.clone(),
        _ => error.to_string(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn enumeration(options: &Value) -> String {
    let names: Vec<String> = options.as_array().into_iter().flatten().map(text).collect();
    match names.as_slice() {
        [one] => one.clone(),
        names => format!("one of {}", names.join(", ")),
    }
}

fn kind_text(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => kind_name(*kind).to_owned(),
        TypeKind::Multiple(kinds) => {
            let names: Vec<&str> = kinds.iter().map(kind_name).collect();
            names.join(" or ")
        }
    }
}

fn kind_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "a sequence",
        JsonType::Object => "a mapping",
    }
}
