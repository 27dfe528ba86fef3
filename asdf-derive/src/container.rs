//! The attributes of a type.

use quote::quote;
use syn::{Attribute, Data, DeriveInput, Ident, LitStr, Path, parse_quote};

use crate::attribute::{Owner, items, own};
use crate::case::Case;
use crate::check::Check;
use crate::conversion::Conversion;
use crate::errors::Errors;

/// The attributes of a type.
pub(crate) struct Container {
    /// The path of asdf-core.
    pub(crate) core: Path,
    pub(crate) tag: Option<Tag>,
    /// Whether a tag is given, valid or not.
    pub(crate) is_tagged: bool,
    /// The attribute `new`, which errors point at.
    pub(crate) new: Option<Ident>,
    /// The attribute `builder`, which errors point at.
    pub(crate) builder: Option<Ident>,
    /// The attribute `text`, which errors point at.
    pub(crate) text: Option<Ident>,
    /// The property, keyword and value of each note.
    pub(crate) notes: Option<Vec<[LitStr; 3]>>,
    /// The attribute `check`, which errors point at, and the constraints.
    pub(crate) check: Option<(Ident, Check)>,
    /// The other type that the type is read and written as, if one is given.
    pub(crate) conversion: Option<Conversion>,
    /// The function that checks a value before it is written.
    pub(crate) write_check: Option<Path>,
    /// The path of the schema.
    pub(crate) schema: Option<LitStr>,
    /// The attribute `key`, which errors point at, and the key whose value names the variant.
    pub(crate) key: Option<(Ident, String)>,
    /// The attribute `by_tag`, which errors point at: only a tag selects a variant after the first.
    pub(crate) by_tag: Option<Ident>,
    /// The attribute `rename_all`, which errors point at, and the naming convention of fields or variants.
    pub(crate) rename_all: Option<(Ident, Case)>,
    /// The types of older versions, which convert to this one.
    pub(crate) upgrades: Vec<Path>,
    /// The types of other versions, whose nodes are read as this type if they fit it.
    pub(crate) versions: Vec<Path>,
    /// Whether the type is only written.
    pub(crate) write_only: bool,
}

/// The tag of a type.
pub(crate) struct Tag {
    pub(crate) own: LitStr,
    pub(crate) accepts: Vec<LitStr>,
}

impl Container {
    /// Parses `#[asdf(...)]` on a type.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let core = parse_quote!(::asdf_core);
        let mut container = Self {
            core,
            tag: None,
            is_tagged: false,
            new: None,
            builder: None,
            text: None,
            notes: None,
            check: None,
            conversion: None,
            write_check: None,
            schema: None,
            key: None,
            by_tag: None,
            rename_all: None,
            upgrades: Vec::new(),
            versions: Vec::new(),
            write_only: false,
        };
        let mut accepts: Option<(Ident, Vec<LitStr>)> = None;
        let mut needs_tag: Vec<Ident> = Vec::new();
        let (mut sources, mut into) = (Vec::new(), None);
        for item in items(attributes, Owner::Type, errors) {
            let name = item.name.clone();
            match name.to_string().as_str() {
                "tag" => {
                    container.is_tagged = true;
                    let own = errors.ok(item.string().and_then(one_tag));
                    container.tag = own.map(|own| Tag { own, accepts: Vec::new() });
                }
                "accepts" => accepts = errors.ok(item.strings()).map(|patterns| (name, patterns)),
                "new" => container.new = errors.ok(item.flag()).map(|()| name),
                "builder" => container.builder = errors.ok(item.flag()).map(|()| name),
                "text" => container.text = errors.ok(item.flag()).map(|()| name),
                "upgrades" => {
                    container.upgrades = errors.ok(item.paths()).unwrap_or_default();
                    needs_tag.push(name);
                }
                "versions" => {
                    container.versions = errors.ok(item.paths()).unwrap_or_default();
                    needs_tag.push(name);
                }
                "key" => container.key = errors.ok(item.string()).map(|key| (name, key.value())),
                "by_tag" => container.by_tag = errors.ok(item.flag()).map(|()| name),
                "rename_all" => container.rename_all = errors.ok(Case::parse(&item)).map(|case| (name, case)),
                "write_only" => container.write_only = errors.ok(item.flag()).is_some(),
                "schema" => container.schema = errors.ok(item.string()),
                "notes" => container.notes = errors.ok(item.triples()),
                "from" | "try_from" => sources.extend(errors.ok(item.quoted_type()).map(|ty| (name, ty))),
                "into" => into = errors.ok(item.quoted_type()).map(|ty| (name, ty)),
                "write_check" => container.write_check = errors.ok(item.path()),
                "check" => container.check = Some((name, Check::parse(item, errors))),
                _ => container.core = errors.ok(item.quoted_path()).unwrap_or(container.core),
            }
        }
        container.conversion = Conversion::of(sources, into, container.write_only, errors);
        for name in needs_tag.iter().filter(|_| !container.is_tagged) {
            let message = "needs a tag to distinguish versions: add `tag = \"...\"`";
            errors.at(name, format!("`{name}` {message}"));
        }
        if let Some((name, patterns)) = accepts {
            if !container.is_tagged {
                errors.at(&name, "`accepts` needs a tag to write: add `tag = \"...\"`");
            }
            if patterns.is_empty() {
                errors.at(&name, "`accepts` needs at least one tag; add one or remove `accepts`");
            }
            several_tags(&patterns, errors);
            if let Some(tag) = &mut container.tag {
                tag.accepts = patterns;
            }
        }
        container
    }

    /// Reports attributes that cannot be combined with a conversion because they control how the type itself is read.
    pub(crate) fn refuse_beside(&self, conversion: &Conversion, input: &DeriveInput, errors: &mut Errors) {
        let others = [
            self.key.as_ref().map(|(name, _)| name),
            self.rename_all.as_ref().map(|(name, _)| name),
            self.check.as_ref().map(|(name, _)| name),
            self.text.as_ref(),
            self.new.as_ref(),
            self.builder.as_ref(),
        ];
        let (name, ty) = (&conversion.name, &conversion.ty);
        let why =
            format!("cannot be combined with `{name}`: values are read and written as `{}`", quote!(#ty));
        for other in others.into_iter().flatten() {
            errors.at(other, format!("`{other}` {why}"));
        }
        for attribute in inner_attributes(&input.data) {
            errors.at(attribute, format!("this attribute {why}"));
        }
    }
}

/// The attributes of fields and variants.
fn inner_attributes(data: &Data) -> Vec<&Attribute> {
    match data {
        Data::Struct(data) => data.fields.iter().flat_map(|field| own(&field.attrs)).collect(),
        Data::Union(data) => data.fields.named.iter().flat_map(|field| own(&field.attrs)).collect(),
        Data::Enum(data) => data
            .variants
            .iter()
            .flat_map(|variant| {
                let fields = variant.fields.iter().flat_map(|field| own(&field.attrs));
                own(&variant.attrs).chain(fields)
            })
            .collect(),
    }
}

impl Container {
    /// The naming convention of fields or variants without `rename`.
    pub(crate) fn case(&self) -> Option<Case> {
        self.rename_all.as_ref().map(|(_, case)| *case)
    }
}

/// Checks the tag that values are written with.
fn one_tag(tag: LitStr) -> syn::Result<LitStr> {
    let text = tag.value();
    let fault = if text.contains('*') {
        Some(
            "found a pattern, expected one tag to write values with; put patterns of tags to read into `accepts`",
        )
    } else if let Some(fault) = fault(&text) {
        Some(fault)
    } else if !has_scheme(&text) {
        Some(
            "found a tag without a scheme, expected a whole URI, such as \"asdf://example.org/tags/filter-1.0.0\"",
        )
    } else if !has_version(&text) {
        Some(
            "found a tag without a version, expected three numbers after the name, as in \
             \"asdf://example.org/tags/filter-1.0.0\"",
        )
    } else {
        None
    };
    fault.map_or(Ok(tag.clone()), |fault| Err(syn::Error::new_spanned(&tag, fault)))
}

/// Checks that tags and tag patterns are valid and listed once.
pub(crate) fn several_tags(patterns: &[LitStr], errors: &mut Errors) {
    for (index, pattern) in patterns.iter().enumerate() {
        if let Some(fault) = fault(&pattern.value()) {
            errors.at(pattern, fault);
        } else if patterns.iter().take(index).any(|earlier| earlier.value() == pattern.value()) {
            errors.at(pattern, "this tag is listed twice");
        }
    }
}

/// Whether a text begins with the scheme of a URI: `asdf:`, `tag:`.
fn has_scheme(tag: &str) -> bool {
    tag.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other))
            && !rest.is_empty()
    })
}

/// Whether a tag ends in a version: `-1.0.0`, optionally with a suffix, as in `-1.0.0-dev`.
fn has_version(tag: &str) -> bool {
    let number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let version = |text: &str| {
        let (released, suffix) =
            text.split_once('-').map_or((text, None), |(text, suffix)| (text, Some(suffix)));
        released.split('.').count() == 3
            && released.split('.').all(number)
            && suffix.is_none_or(|suffix| {
                !suffix.is_empty()
                    && suffix.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-')
            })
    };
    tag.match_indices('-').any(|(at, _)| tag.get(at + 1..).is_some_and(version))
}

fn fault(tag: &str) -> Option<&'static str> {
    if tag.is_empty() {
        Some("found an empty tag, expected a URI, such as \"asdf://example.org/tags/filter-1.0.0\"")
    } else if tag.starts_with('!') {
        Some(
            "found a tag that begins with `!`, expected a whole URI, such as \"tag:stsci.edu:asdf/core/column-1.0.0\"",
        )
    } else if tag.starts_with("tag:yaml.org,2002:") {
        Some("found a tag of YAML itself, which names a kind of node and not a type; remove the tag")
    } else if tag.contains(char::is_whitespace) {
        Some("found a space in the tag; a tag cannot contain spaces")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_three_numbers_and_perhaps_a_suffix() {
        for tag in ["asdf://x.org/t-1.0.0", "tag:x,2026:a-b-10.20.30", "asdf://x.org/t-1.0.0-dev.1"] {
            assert!(has_version(tag), "{tag}");
        }
        for tag in ["asdf://x.org/t", "t-1.0", "t-1.0.x", "t-1..0", "t-1.0.0-", "t-1.0.0-a_b", "t1.0.0"] {
            assert!(!has_version(tag), "{tag}");
        }
    }
}
