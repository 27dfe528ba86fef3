//! The docs of types, fields and variants, in Markdown.

use asdf_schema_model::{Limits, Number};

use super::types::Around;
use crate::model::{Docs, Field, Item, ItemId, Shape, Type, Variant};
use crate::schema::Demand;

pub(super) fn of_item(
    item: &Item,
    tags: &[String],
    versions: &[ItemId],
    upgrades: &[String],
    around: &Around<'_>,
) -> String {
    let mut text = head(&item.docs);
    let mut rules = Vec::new();
    if let Shape::Newtype(shape) = &item.shape {
        let from_0 = shape.inner == Type::Unsigned && shape.checks.minimum.is_none();
        let zero = Limits { minimum: Some((Number::Int(0), false)), ..shape.checks.as_ref().clone() };
        rules.extend(of_checks(if from_0 { &zero } else { &shape.checks }));
        rules.extend(of_demands(&shape.contains));
        rules.extend(of_places(&shape.places, around));
    }
    rules.extend(item.docs.rules.iter().cloned());
    add(&mut text, &rules.join(" "));
    if let Some((about, example)) = &item.docs.example {
        add(&mut text, &format!("{}:", about.trim_end_matches(['.', ':'])));
        add(&mut text, &fenced("yaml", example));
    }
    if let Some((own, others)) = tags.split_first() {
        let mut line = format!("Tag: `{own}`.");
        if !others.is_empty() {
            let others: Vec<String> = others.iter().map(|tag| format!("`{tag}`")).collect();
            line.push_str(&format!(" Also reads {}.", others.join(", ")));
        }
        if !versions.is_empty() {
            let names: Vec<String> = versions
                .iter()
                .map(|&version| format!("`{}`", around.path(version)).replace(' ', ""))
                .collect();
            line.push_str(&format!(" Also reads {}, if the value fits.", names.join(", ")));
        }
        if !upgrades.is_empty() {
            line.push_str(&format!(" Also reads and converts `{}`.", upgrades.join("`, `")));
        }
        add(&mut text, &line);
    }
    text
}

pub(super) fn of_field(field: &Field, around: &Around<'_>) -> String {
    let mut text = head(&field.docs);
    if text.is_empty() {
        text = about(&field.ty, around).unwrap_or_default();
    }
    add(&mut text, &field.docs.rules.join(" "));
    if let Some(default) = field.docs.default.as_ref().filter(|_| !field.required) {
        add(&mut text, &format!("Default: {}.", code(default)));
    }
    add(&mut text, &of_write_tags(&field.ty));
    if let Some(words) = &field.docs.words {
        add(&mut text, "Kept as a node. The schema says:");
        add(&mut text, &fenced("yaml", words));
    }
    text
}

pub(super) fn of_variant(variant: &Variant, around: &Around<'_>) -> String {
    match variant {
        Variant::Word { .. } => String::new(),
        Variant::Value { ty, docs, .. } => {
            let mut text = head(docs);
            if text.is_empty() {
                text = about(ty, around).unwrap_or_default();
            }
            add(&mut text, &of_write_tags(ty));
            text
        }
    }
}

/// The sentence about the tag of new values.
fn of_write_tags(ty: &Type) -> String {
    match ty.write_tags() {
        [] => String::new(),
        [tag] => format!("Written with the tag `{tag}`."),
        [tag, ..] => format!("New values are written with the tag `{tag}`."),
    }
}

fn add(text: &mut String, paragraph: &str) {
    if !paragraph.is_empty() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(paragraph);
    }
}

fn head(docs: &Docs) -> String {
    let mut text = String::new();
    for part in [&docs.title, &docs.description].into_iter().flatten() {
        let part = part.trim();
        let ends = part.ends_with(['.', '!', '?', ':', '|', '`', ')']) || part.contains('\n');
        add(&mut text, &if ends { part.to_owned() } else { format!("{part}.") });
    }
    text
}

/// The title or description of a value's type.
fn about(ty: &Type, around: &Around<'_>) -> Option<String> {
    match ty {
        Type::Item(id) => {
            let docs = &around.item(*id)?.item.docs;
            let text = docs.title.as_ref().or(docs.description.as_ref())?;
            Some(head(&Docs { title: Some(text.clone()), ..Docs::default() }))
        }
        Type::Boxed(inner) | Type::Tagged(inner, _) | Type::Nullable(inner) | Type::WithTags(inner, _) => {
            about(inner, around)
        }
        _ => None,
    }
}

/// The kind of a value, as a phrase.
fn kind(ty: &Type, around: &Around<'_>) -> String {
    let name = |ty: &Type| match ty {
        Type::Item(id) => around.item(*id).map(|shared| shared.item.name.clone()),
        Type::Extern(path) => path.split('<').next()?.rsplit("::").next().map(str::to_owned),
        _ => None,
    };
    match ty {
        Type::Bool => "a boolean".to_owned(),
        Type::Signed => "an integer".to_owned(),
        Type::Unsigned => "a non-negative integer".to_owned(),
        Type::Number => "a number".to_owned(),
        Type::String => "a string".to_owned(),
        Type::Timestamp => "a date and time".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Node => "any value".to_owned(),
        Type::Mapping | Type::Map(_) => "a mapping".to_owned(),
        Type::List(inner) => match name(inner) {
            Some(name) => format!("a list of `{name}`"),
            None => "a list".to_owned(),
        },
        Type::Array(_, length) => format!("a list of {length} items"),
        Type::Tuple(parts) => format!("a list of {} items of different types", parts.len()),
        Type::Nullable(inner)
        | Type::Tagged(inner, _)
        | Type::Referred(inner)
        | Type::WithTags(inner, _)
        | Type::Boxed(inner) => kind(inner, around),
        Type::Extern(_) | Type::Item(_) => format!("`{}`", name(ty).unwrap_or_default()),
    }
}

/// The constraints, as sentences.
fn of_checks(checks: &Limits) -> Vec<String> {
    let mut rules = Vec::new();
    let mut range = |least: Option<u64>, most: Option<u64>, one: &str, many: &str| {
        let noun = |count: u64| if count == 1 { one.to_owned() } else { many.to_owned() };
        match (least, most) {
            (Some(least), Some(most)) if least == most => {
                rules.push(format!("Exactly {most} {}.", noun(most)))
            }
            (Some(least), Some(most)) => rules.push(format!("From {least} to {most} {}.", noun(most))),
            (Some(least), None) => rules.push(format!("At least {least} {}.", noun(least))),
            (None, Some(most)) => rules.push(format!("At most {most} {}.", noun(most))),
            (None, None) => {}
        }
    };
    range(checks.min_length, checks.max_length, "character", "characters");
    range(checks.min_items, checks.max_items, "item", "items");
    for pattern in &checks.patterns {
        rules.push(format!("Must contain a match of the regular expression {}.", code(pattern)));
    }
    let bound = |bound: Option<(Number, bool)>, inclusive: &str, exclusive: &str| {
        bound.map(|(bound, excluded)| format!("{} {bound}.", if excluded { exclusive } else { inclusive }))
    };
    rules.extend(bound(checks.minimum, "At least", "More than"));
    rules.extend(bound(checks.maximum, "At most", "Less than"));
    rules.extend(checks.multiples.iter().map(|multiple| format!("A multiple of {multiple}.")));
    if let Some((last, rest)) = checks.one_of.split_last() {
        let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
        rules.push(match rest.is_empty() {
            true => format!("Only {last}."),
            false => format!("{} or {last}.", rest.join(", ")),
        });
    }
    if checks.unique_items {
        rules.push("No two items are equal.".to_owned());
    }
    rules
}

/// The sentence about required items of a list.
fn of_demands(demands: &[Demand]) -> Option<String> {
    let names: Vec<String> = demands.iter().map(|demand| format!("`{}`", demand.name)).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("Contains an item that {one} returns.")),
        several => Some(format!("Contains the items that these functions return: {}.", several.join(", "))),
    }
}

/// The sentence about the items of a list, by position.
fn of_places(places: &[Type], around: &Around<'_>) -> Option<String> {
    let kinds: Vec<String> = places.iter().map(|ty| kind(ty, around)).collect();
    (!kinds.is_empty()).then(|| format!("Items by position: {}.", kinds.join(", ")))
}

/// Text as a code span, which may contain backticks.
fn code(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { format!("\\x{:02x}", u32::from(c)) } else { c.to_string() })
        .collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    if longest > 0 || text.is_empty() {
        format!("{ticks} {text} {ticks}")
    } else {
        format!("{ticks}{text}{ticks}")
    }
}

fn fenced(language: &str, text: &str) -> String {
    let longest = text.lines().map(|line| line.trim_start().chars().take_while(|&c| c == '`').count()).max();
    let ticks = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{ticks}{language}\n{text}\n{ticks}")
}
