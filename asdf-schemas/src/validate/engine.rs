//! A compiled schema of the validation library.

use std::collections::HashMap;
use std::error::Error as StdError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use asdf_core::error::Hint;
use asdf_core::tree::{NodeRef, Path};
use asdf_core::{Error, Tree};
use asdf_schema_model::{pointer, uri};
use jsonschema::{Draft, PatternOptions, Retrieve, Uri};
use serde_json::Value;

use super::check::OwnKeyword;
use super::closest;
use super::instance::{Instance, TreeJson};
use super::members::Members;
use super::steps::{self, TooMany};
use super::suggestions::Suggestions;
use super::{Code, Violation, keywords, levels, normal};
use crate::Registry;

/// After this many nodes that take too many steps, no more nodes are tried.
const MOST_REFUSED: usize = 4;

/// A schema, ready to validate nodes.
#[derive(Debug)]
pub(super) struct Engine {
    id: String,
    registry: Arc<Registry>,
    validator: jsonschema::Validator<TreeJson>,
    /// Whether patterns run in an engine that can give up.
    backtracks: bool,
    /// How many nodes took too many steps.
    refused: AtomicUsize,
    texts: Mutex<HashMap<String, Option<Arc<Tree>>>>,
}

impl Engine {
    /// Compiles a schema and what it refers to.
    pub(super) fn new(registry: &Arc<Registry>, id: &str, own: &Arc<[OwnKeyword]>) -> Result<Self, Unusable> {
        let hint = Arc::new(Mutex::new(None));
        let mut documents = Documents {
            registry: registry.clone(),
            own: own.clone(),
            loaded: levels::Documents::new().into(),
            hint: hint.clone(),
        };
        let schema = documents.load_all(id)?;
        let mut options = jsonschema::options_for::<TreeJson>()
            .with_draft(Draft::Draft4)
            .with_base_uri(id)
            .with_retriever(documents)
            .should_validate_formats(false)
            .with_keyword("tag", |parent, value, _| keywords::tag(parent, value))
            .with_keyword("ndim", |parent, value, _| keywords::ndim(parent, value))
            .with_keyword("max_ndim", |parent, value, _| keywords::max_ndim(parent, value))
            .with_keyword("datatype", |parent, value, _| keywords::datatype(parent, value))
            .with_keyword(normal::NO_TIMESTAMP, |parent, value, _| keywords::no_timestamp(parent, value))
            .with_keyword(steps::STEP, |_, _, _| Ok(Box::new(steps::Step)));
        for keyword in own.iter().cloned() {
            options =
                options.with_keyword(keyword.name.clone(), move |_, value, _| keywords::own(&keyword, value));
        }
        // A file can contain strings of any length, so patterns have to run in linear time. Patterns that the linear
        // engine does not support (look-around) run in the other one, which limits backtracking.
        let linear = options.clone().with_pattern_options(PatternOptions::regex());
        let built = linear.build(&schema).map(|validator| (validator, false));
        let built = built.or_else(|_| options.build(&schema).map(|validator| (validator, true)));
        let (validator, backtracks) = built.map_err(|error| Unusable {
            message: format!("cannot use the schema {id}: {error}"),
            hint: hint.lock().unwrap_or_else(PoisonError::into_inner).take(),
        })?;
        Ok(Self {
            id: id.to_owned(),
            registry: registry.clone(),
            validator,
            backtracks,
            refused: AtomicUsize::new(0),
            texts: Mutex::default(),
        })
    }

    pub(super) fn is_valid(&self, node: NodeRef<'_>) -> Result<bool, TooMany> {
        self.limited(node, || self.validator.is_valid(Instance::Node(node)))
    }

    /// Does the work for one node, unless it or several earlier nodes take too many steps.
    fn limited<T>(&self, node: NodeRef<'_>, work: impl Fn() -> T) -> Result<T, TooMany> {
        if self.refused.load(Ordering::Relaxed) >= MOST_REFUSED {
            return Err(TooMany);
        }
        steps::limited(node, work).inspect_err(|TooMany| {
            self.refused.fetch_add(1, Ordering::Relaxed);
        })
    }

    /// The message about a node that takes too many steps.
    pub(super) fn too_many(&self) -> String {
        format!("the schema {} takes too many steps; this node was not fully validated", self.id)
    }

    /// Passes the violations of a node to `take` until it breaks. Paths are relative to the node.
    pub(super) fn violations(
        &self,
        node: NodeRef<'_>,
        mut take: impl FnMut(Violation) -> ControlFlow<()>,
    ) -> Result<(), TooMany> {
        let mut members = Members::default();
        let mut found = Vec::new();
        let outline = OnceLock::new();
        let instance = match self.backtracks {
            true => Instance::Root(node, &outline),
            false => Instance::Node(node),
        };
        let errors: Vec<_> = self.limited(node, || self.validator.iter_errors(instance).collect())?;
        for error in errors {
            closest::explain(&error, node, &mut members, &mut found);
            for mut violation in found.drain(..) {
                self.place(&mut violation, &mut members.suggestions);
                if take(violation).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Replaces the place of the rule in the normal form of a schema, a URI with a JSON Pointer, by its place in the text
    /// of the schema.
    fn place(&self, violation: &mut Violation, suggestions: &mut Suggestions) {
        let uri = violation.place.take().unwrap_or_default();
        let (id, pointer) = uri.split_once('#').unwrap_or((&uri, ""));
        let id = if id.is_empty() { self.id.as_str() } else { id };
        let tree = self.text(id);
        let root = tree.as_deref().and_then(Tree::root);
        let place = root.map(|root| normal::original(root, &uri::decode(pointer)));
        if violation.code == Code::AdditionalProperties && violation.hint.is_none() {
            violation.hint =
                root.zip(place.as_ref()).and_then(|(root, place)| meant(violation, root, place, suggestions));
        }
        violation.place = place.map(|place| place.to_string());
        violation.schema = Some(id.to_owned());
    }

    /// Returns a schema as it was written, parsed once.
    fn text(&self, id: &str) -> Option<Arc<Tree>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = texts.get(id) {
            return known.clone();
        }
        let tree = self.registry.schema(id).ok().map(Arc::new);
        texts.insert(id.to_owned(), tree.clone());
        tree
    }
}

/// Suggests an allowed property with a name similar to one that is not allowed.
fn meant(
    violation: &Violation,
    schema: NodeRef<'_>,
    place: &Path,
    suggestions: &mut Suggestions,
) -> Option<Hint> {
    let name = violation.path.as_str().rsplit('/').next().map(pointer::unescape)?;
    let above = place.as_str().rsplit_once('/')?.0;
    let allowed = schema.find(above)?.get("properties")?;
    let names = || allowed.entries().filter_map(|(key, _)| key.as_str()).collect();
    suggestions
        .nearest(&name, allowed.len(), names)
        .map(|like| format!("did you mean '{}'?", like.escape_debug()).into())
}

/// Why a schema cannot be used.
#[derive(Debug)]
pub(super) struct Unusable {
    pub(super) message: String,
    pub(super) hint: Option<Hint>,
}

impl Unusable {
    /// Makes an error for callers that named the schema by its id.
    pub(super) fn error(&self) -> Error {
        let error = Error::usage(self.message.clone());
        match &self.hint {
            Some(hint) => error.with_hint(hint.clone()),
            None => error,
        }
    }
}

impl From<Error> for Unusable {
    fn from(error: Error) -> Self {
        Self { message: error.summary().to_string(), hint: error.hint().cloned() }
    }
}

/// Loads the schemas that other schemas refer to, for the library.
struct Documents {
    registry: Arc<Registry>,
    own: Arc<[OwnKeyword]>,
    /// Those that the library did not yet ask for.
    loaded: Mutex<levels::Documents>,
    /// The hint of the last document that could not be loaded, because the errors of the library have no hints.
    hint: Arc<Mutex<Option<Hint>>>,
}

impl Documents {
    /// Loads a schema and all that it refers to, except those that cannot be loaded. Returns the schema.
    fn load_all(&mut self, id: &str) -> Result<Value, Unusable> {
        let document = self.load(id)?;
        let mut pending: Vec<String> = levels::references(&document, id).into_iter().collect();
        let mut all = levels::Documents::from([(id.to_owned(), document)]);
        while let Some(other) = pending.pop() {
            // The library reports an error only if it needs the document.
            if all.contains_key(&other) || self.registry.text(&other).is_none() {
                continue;
            }
            if let Ok(document) = self.load(&other) {
                pending.extend(levels::references(&document, &other));
                all.insert(other, document);
            }
        }
        if levels::are_too_many(&all, id) {
            let most = levels::MOST_LEVELS;
            let message = format!("the references of the schema {id} lead through more than {most} levels");
            return Err(Error::limit(message)
                .with_hint("refer to the last schema of a chain directly")
                .into());
        }
        let document = all.remove(id).unwrap_or_default();
        self.loaded = all.into();
        Ok(document)
    }

    fn load(&self, id: &str) -> Result<Value, Unusable> {
        let tree = self.registry.schema(id)?;
        let root = tree.root().ok_or_else(|| Error::malformed(format!("the schema {id} is empty")))?;
        let own = |name: &str| self.own.iter().any(|keyword| keyword.name == name);
        Ok(normal::document(root, &own))
    }
}

impl Retrieve for Documents {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn StdError + Send + Sync>> {
        let id = uri.as_str();
        let id = id.split('#').next().unwrap_or(id);
        if let Some(document) = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).remove(id) {
            return Ok(document);
        }
        self.load(id).map_err(|Unusable { message, hint }| {
            *self.hint.lock().unwrap_or_else(PoisonError::into_inner) = hint;
            message.into()
        })
    }
}
