//! The schemas of a table, loaded once in a process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use asdf_core::Result;
use asdf_schemas::Registry;
use asdf_schemas::installed::Environment;

use crate::options::Schemas;

/// The value for all installed packages with schemas.
const ALL: &str = "*";

/// Returns the built-in schemas with those of folders and installed Python packages.
///
/// # Errors
/// If a folder or package does not exist, or a schema in it is not valid.
pub(crate) fn registry(schemas: &Schemas) -> Result<Arc<Registry>> {
    static LOADED: Mutex<Option<HashMap<Schemas, Arc<Registry>>>> = Mutex::new(None);
    if *schemas == Schemas::default() {
        return Ok(Registry::standard());
    }
    // Locked meanwhile, so that they are loaded once.
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = loaded.get_or_insert_default();
    if let Some(registry) = loaded.get(schemas) {
        return Ok(registry.clone());
    }
    let registry = Arc::new(load(schemas)?);
    loaded.insert(schemas.clone(), registry.clone());
    Ok(registry)
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
    for name in &schemas.packages {
        let packages = if name == ALL { environment.packages() } else { environment.with_required(name)? };
        for folder in packages.iter().flat_map(|package| &package.folders) {
            registry.add_folder(folder)?;
        }
    }
    Ok(registry)
}
