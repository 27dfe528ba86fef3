//! What the attributes of a type say.

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
    /// Whether a tag is given, be it a good one or not.
    pub(crate) is_tagged: bool,
    /// The word `new`, to point at.
    pub(crate) new: Option<Ident>,
    /// The word `builder`, to point at.
    pub(crate) builder: Option<Ident>,
    /// The word `text`, to point at.
    pub(crate) text: Option<Ident>,
    /// Property, keyword and value of each note.
    pub(crate) notes: Option<Vec<[LitStr; 3]>>,
    /// The word `check`, to point at, and the constraints.
    pub(crate) check: Option<(Ident, Check)>,
    /// What the type is read and written as, if it is another type.
    pub(crate) conversion: Option<Conversion>,
    /// The function that is asked before a value is written.
    pub(crate) write_check: Option<Path>,
    /// The file with the schema.
    pub(crate) schema: Option<LitStr>,
    /// The word `key`, to point at, and the key whose value names the variant.
    pub(crate) key: Option<(Ident, String)>,
    /// The word `by_tag`, to point at: only a tag leads to a variant after the first.
    pub(crate) by_tag: Option<Ident>,
    /// The words `rename_all`, to point at, and how fields or variants are called.
    pub(crate) rename_all: Option<(Ident, Case)>,
    /// The types of older versions, which can be made into this one.
    pub(crate) upgrades: Vec<Path>,
    /// The types of other versions, whose nodes are read as this type where they fit it.
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
    /// What `#[asdf(...)]` on a type says.
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
            let message = "needs a tag, by which versions are told apart: add `tag = \"...\"`";
            errors.at(name, format!("`{name}` {message}"));
        }
        if let Some((name, patterns)) = accepts {
            if !container.is_tagged {
                errors.at(&name, "`accepts` needs a tag to write: add `tag = \"...\"`");
            }
            if patterns.is_empty() {
                errors.at(&name, "`accepts` lists no tag; leave it out");
            }
            several_tags(&patterns, errors);
            if let Some(tag) = &mut container.tag {
                tag.accepts = patterns;
            }
        }
        container
    }

    /// Complains about attributes beside a conversion that say how the type itself would be read and written.
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
        let why = format!("makes no sense with `{name}`: values are read and written as `{}`", quote!(#ty));
        for other in others.into_iter().flatten() {
            errors.at(other, format!("`{other}` {why}"));
        }
        for attribute in inner_attributes(&input.data) {
            errors.at(attribute, format!("this {why}"));
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
    /// How fields or variants are called that have no name of their own.
    pub(crate) fn case(&self) -> Option<Case> {
        self.rename_all.as_ref().map(|(_, case)| *case)
    }
}

/// A tag as values are written with it.
fn one_tag(tag: LitStr) -> syn::Result<LitStr> {
    let text = tag.value();
    let fault = if text.contains('*') {
        Some("values are written with one tag; a pattern of tags to read goes into `accepts`")
    } else if let Some(fault) = fault(&text) {
        Some(fault)
    } else if !has_scheme(&text) {
        Some("a tag is a whole URI, and this has no scheme: write \"asdf://example.org/tags/filter-1.0.0\"")
    } else if !has_version(&text) {
        Some(
            "a tag ends in a version of three numbers: write `-1.0.0` after the name, as in \
             \"asdf://example.org/tags/filter-1.0.0\"",
        )
    } else {
        None
    };
    fault.map_or(Ok(tag.clone()), |fault| Err(syn::Error::new_spanned(&tag, fault)))
}

/// Tags and patterns of them, each a good one and there once.
pub(crate) fn several_tags(patterns: &[LitStr], errors: &mut Errors) {
    for (index, pattern) in patterns.iter().enumerate() {
        if let Some(fault) = fault(&pattern.value()) {
            errors.at(pattern, fault);
        } else if patterns.iter().take(index).any(|earlier| earlier.value() == pattern.value()) {
            errors.at(pattern, "this tag is listed twice");
        }
    }
}

/// Whether a text begins as a URI does: `asdf:`, `tag:`.
fn has_scheme(tag: &str) -> bool {
    tag.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other))
            && !rest.is_empty()
    })
}

/// Whether a tag ends in a version: `-1.0.0`, and perhaps a suffix as in `-1.0.0-dev`.
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
        Some("a tag is a URI, such as \"asdf://example.org/tags/filter-1.0.0\"")
    } else if tag.starts_with('!') {
        Some(
            "a tag is the whole URI, such as \"tag:stsci.edu:asdf/core/column-1.0.0\", without a `!` before it",
        )
    } else if tag.starts_with("tag:yaml.org,2002:") {
        Some("YAML's own tags say what kind a node is and are not those of types; leave the tag out")
    } else if tag.contains(char::is_whitespace) {
        Some("a tag has no spaces")
    } else {
        None
    }
}
