//! The schemas of a table, loaded once in a process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use asdf_core::Result;
use asdf_schemas::installed::Environment;
use asdf_schemas::{Registry, Validator};

use crate::options::Schemas;

/// Returns a validator with the built-in schemas and those of folders and installed Python packages.
///
/// It is made once in a process, because it compiles a schema when it first meets a tag.
///
/// # Errors
/// If a folder or package does not exist, or a schema in it is not valid.
pub(crate) fn validator(schemas: &Schemas) -> Result<Arc<Validator>> {
    static LOADED: Mutex<Option<HashMap<Schemas, Arc<Validator>>>> = Mutex::new(None);
    if *schemas == Schemas::default() {
        return Ok(Validator::standard());
    }
    // Locked meanwhile, so that they are loaded once.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    if let Some(validator) = loaded.get(schemas) {
        return Ok(validator.clone());
    }
    let validator = Arc::new(Validator::new(Arc::new(load(schemas)?)));
    loaded.insert(schemas.clone(), validator.clone());
    Ok(validator)
}

/// Returns the schemas of [`validator`].
///
/// # Errors
/// The errors of [`validator`].
pub(crate) fn registry(schemas: &Schemas) -> Result<Arc<Registry>> {
    Ok(validator(schemas)?.registry().clone())
}

fn load(schemas: &Schemas) -> Result<Registry> {
    let mut registry = Registry::new();
    if schemas.replace_built_in {
        registry = registry.replacing_built_in();
    }
    for folder in &schemas.folders {
        registry.add_folder(folder)?;
    }
    if schemas.packages.is_empty() {
        return Ok(registry);
    }
    let environment = Environment::active();
    schemas.packages.iter().try_for_each(|name| registry.add_package(&environment, name))?;
    Ok(registry)
}
