//! Turns the errors of the engine into messages at nodes.
//!
//! If all alternatives fail, the message is about the one that was probably meant: the one that got farthest.

use asdf_core::error::Hint;
use asdf_core::tree::{NodeRef, Path};
use jsonschema::error::{TypeKind, ValidationErrorKind as Rule};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::members::Members;
use super::suggestions::Suggestions;
use super::{Code, Violation};

/// Adds the violations that an error of the engine describes.
pub(super) fn explain<'t>(
    error: &ValidationError<'_>,
    root: NodeRef<'t>,
    members: &mut Members<'t>,
    out: &mut Vec<Violation>,
) {
    let pointer = error.instance_path().to_string();
    let code = code_of(error);
    // The place in the normal form of the schema. `Engine::place` turns it into the place in the text.
    let place = error.absolute_keyword_location().map(ToString::to_string);
    // A reference refers to another value, which is not validated here.
    if is_excused(error, root, members) {
        return;
    }
    let Some((node, at)) = members.locate(root, &pointer) else {
        return out.push(Violation { place, ..Violation::at(root, Path::root(), code, error.to_string()) });
    };
    match error.kind() {
        Rule::AnyOf { context } | Rule::OneOfNotValid { context } => match farthest(context, &pointer) {
            Some(branch) => {
                for error in branch {
                    explain(error, root, members, out);
                }
            }
            None => {
                let expected = alternatives(context, &pointer);
                out.push(Violation { place, ..Violation::unlike(node, at, code, expected) });
            }
        },
        Rule::AdditionalProperties { unexpected } => {
            for name in unexpected {
                let (key, at) = match members.named(node, name) {
                    Some((key, _, below)) => (key, at.join(&below)),
                    None => (node, at.clone()),
                };
                let message = format!("the property '{}' is not allowed here", name.escape_debug());
                let violation = Violation::at(key, at, code, message);
                out.push(Violation { place: place.clone(), ..violation });
            }
        }
        _ => {
            let violation = match sentence(error, node) {
                Sentence::Expected(expected) => Violation::unlike(node, at, code, expected),
                Sentence::Other(message) => Violation::at(node, at, code, message),
            };
            let hint = hint(error, node, &mut members.suggestions);
            out.push(Violation { place, hint, ..violation });
        }
    }
}

/// Suggests the correct spelling of a property or value.
fn hint(error: &ValidationError<'_>, node: NodeRef<'_>, suggestions: &mut Suggestions) -> Option<Hint> {
    match error.kind() {
        Rule::Required { property } => {
            let keys = || node.entries().filter_map(|(key, _)| key.as_str()).collect();
            let like = suggestions.nearest(property.as_str()?, node.len(), keys)?;
            let [like, name] = [like, property.as_str()?].map(str::escape_debug);
            Some(format!("did you mean '{name}' instead of '{like}'?").into())
        }
        Rule::Enum { options } => {
            let options = options.as_array()?;
            let words = || options.iter().filter_map(Value::as_str).collect();
            let like = suggestions.nearest(node.text()?, options.len(), words)?;
            Some(format!("did you mean '{}'?", like.escape_debug()).into())
        }
        Rule::BacktrackLimitExceeded { .. } => {
            Some("write the pattern without look-around and back-references".into())
        }
        _ => None,
    }
}

fn code_of(error: &ValidationError<'_>) -> Code {
    match error.kind() {
        Rule::Custom { keyword, .. } => match Code::of_keyword(keyword) {
            Code::Other => Code::Keyword,
            code => code,
        },
        Rule::BacktrackLimitExceeded { .. } | Rule::RegexEngineFailure { .. } => Code::Schema,
        kind => Code::of_keyword(kind.keyword()),
    }
}

/// The message about a node.
enum Sentence {
    /// What was expected; the message says "found NODE, expected ...".
    Expected(String),
    /// The whole message.
    Other(String),
}

/// Whether an error is at or below a reference, or has an alternative that fails only for that reason.
fn is_excused<'t>(error: &ValidationError<'_>, root: NodeRef<'t>, members: &mut Members<'t>) -> bool {
    if members.is_below_reference(root, &error.instance_path().to_string()) {
        return true;
    }
    match error.kind() {
        Rule::AnyOf { context } | Rule::OneOfNotValid { context } => {
            context.iter().any(|branch| branch.iter().all(|error| is_excused(error, root, members)))
        }
        _ => false,
    }
}

/// Returns the alternative that failed deepest below the node, if one accepts the type and tag of the node itself.
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

/// Whether an error says that the node has another type or tag.
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

/// The message of the keyword `tag` that requires an array of any version.
const ARRAY: &str = "a node tagged tag:stsci.edu:asdf/core/ndarray-";

/// Lists what the alternatives require: "a string, null or a node tagged ...".
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
                Some((_, expected)) if expected.starts_with(ARRAY) => "an array".to_owned(),
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

fn sentence(error: &ValidationError<'_>, node: NodeRef<'_>) -> Sentence {
    let length = |limit: &u64, (one, several): (&str, &str), bound: &str| {
        let noun = if *limit == 1 { one } else { several };
        Sentence::Expected(format!("{bound} {limit} {noun}"))
    };
    let characters = ("character", "characters");
    let items = ("item", "items");
    let properties = ("property", "properties");
    match error.kind() {
        Rule::Type { kind }
            if node.kind().is_scalar() && node.as_str().is_none() && node.own_tag().is_some() =>
        {
            Sentence::Expected(format!("{}; a tagged scalar counts as a string", kind_text(kind)))
        }
        Rule::Type { kind } => Sentence::Expected(kind_text(kind)),
        Rule::Required { property } => {
            Sentence::Other(format!("the required property '{}' is missing", text(property).escape_debug()))
        }
        Rule::Enum { options } => Sentence::Expected(enumeration(options)),
        // The pattern of complex numbers is too long to be of help.
        Rule::Pattern { .. } if node.own_tag().is_some_and(|tag| tag.contains(":asdf/core/complex-")) => {
            Sentence::Expected("a complex number such as 1+2j".to_owned())
        }
        Rule::Pattern { pattern } => {
            const SHOWN: usize = 80;
            let mut shown: String = pattern.chars().take(SHOWN).collect();
            if pattern.chars().nth(SHOWN).is_some() {
                shown.push('…');
            }
            Sentence::Expected(format!("a match of the pattern {shown}"))
        }
        Rule::MaxLength { limit } => length(limit, characters, "at most"),
        Rule::MinLength { limit } => length(limit, characters, "at least"),
        Rule::MaxItems { limit } => length(limit, items, "at most"),
        Rule::MinItems { limit } => length(limit, items, "at least"),
        Rule::AdditionalItems { limit } => length(&(*limit as u64), items, "at most"),
        Rule::MaxProperties { limit } => length(limit, properties, "at most"),
        Rule::MinProperties { limit } => length(limit, properties, "at least"),
        Rule::Maximum { limit } => Sentence::Expected(format!("at most {limit}")),
        Rule::Minimum { limit } => Sentence::Expected(format!("at least {limit}")),
        Rule::ExclusiveMaximum { limit } => Sentence::Expected(format!("less than {limit}")),
        Rule::ExclusiveMinimum { limit } => Sentence::Expected(format!("more than {limit}")),
        Rule::MultipleOf { multiple_of } => Sentence::Expected(format!("a multiple of {multiple_of}")),
        Rule::UniqueItems => {
            Sentence::Other(format!("found {} with equal items, expected unique items", node.describe()))
        }
        Rule::Not { .. } => Sentence::Other(format!("found {}, which the schema excludes", node.describe())),
        Rule::OneOfMultipleValid { .. } => {
            let found = node.describe();
            Sentence::Other(format!(
                "found {found}, which matches more than one alternative, expected exactly one"
            ))
        }
        Rule::BacktrackLimitExceeded { .. } | Rule::RegexEngineFailure { .. } => Sentence::Other(
            "cannot use the schema here: a pattern takes too many steps for this string".to_owned(),
        ),
        _ => Sentence::Other(error.to_string()),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Lists the values of an `enum`. Of long lists, it shows the beginning, because each violation has the text.
fn enumeration(options: &Value) -> String {
    const SHOWN: usize = 100;
    let options = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let names: Vec<String> = options.iter().take(SHOWN).map(text).collect();
    match (names.as_slice(), options.len() - names.len()) {
        ([one], _) => one.clone(),
        (names, 0) => format!("one of {}", names.join(", ")),
        (names, more) => format!("one of {} and {more} more", names.join(", ")),
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
