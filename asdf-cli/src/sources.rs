//! Options for schemas in addition to the built-in ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use asdf_core::{Error, Result};
use asdf_schemas::Registry;
use asdf_schemas::installed::{Environment, VARIABLE, listed_packages};

use crate::context::Context;
use crate::outcome::usage;
use crate::warning::Warnings;

/// The heading in the help. `next_help_heading` would also apply to the arguments after those of [`Sources`].
const HEADING: &str = "Schemas";

/// Where to find schemas in addition to the built-in ones.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct Sources {
    /// Add the schemas and manifests in DIR and below; can be repeated
    #[arg(long, value_name = "DIR", help_heading = HEADING)]
    schemas: Vec<PathBuf>,

    /// Add the schemas of a Python package, such as rad; can be repeated
    ///
    /// The schemas of the packages that it requires are added too; '*' adds those of all installed packages. Packages
    /// are looked for in the active virtual or conda environment, else where python3 finds them. Their code is not
    /// run. The variable ASDF_PACKAGES (ASDF_PACKAGES=rad,dkist) and configuration files (packages = ["rad"]) can name
    /// more packages.
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    package: Vec<String>,

    /// Let these schemas replace built-in ones with the same id
    #[arg(long, help_heading = HEADING)]
    replace_built_in: bool,
}

impl Sources {
    /// Returns the built-in schemas with those of folders and installed Python packages. A faulty schema is a usage
    /// error, not a fault of the files that are validated.
    pub(crate) fn registry(&self, context: &Context) -> Result<Arc<Registry>> {
        self.added(context).map_err(usage)
    }

    fn added(&self, context: &Context) -> Result<Arc<Registry>> {
        let configured = &context.config;
        let listed = listed_packages();
        let no_folders = self.schemas.is_empty() && configured.schemas.is_empty();
        let no_packages = self.package.is_empty() && listed.is_empty() && configured.packages.is_empty();
        if no_folders && no_packages {
            return Ok(Registry::standard());
        }
        let mut registry = Registry::new().threads(context.threads);
        if self.replace_built_in {
            registry = registry.replacing_built_in();
        }
        // If several schemas have the same id, the first is used.
        for folder in self.schemas.iter().chain(&configured.schemas) {
            registry.add_folder(folder)?;
        }
        warn_of_passed_over(&registry, &context.warnings);
        if no_packages {
            return Ok(Arc::new(registry));
        }
        let environment = Environment::active();
        for name in &self.package {
            registry.add_package(&environment, name)?;
        }
        for name in &listed {
            let from = |error: Error| {
                let message = format!("{VARIABLE}: {}", error.message());
                usage(error.with_message(message))
            };
            registry.add_package(&environment, name).map_err(from)?;
        }
        for (name, file) in &configured.packages {
            // The configuration can be meant for another environment, so this is only a warning.
            match registry.add_package(&environment, name) {
                Err(error) if error.kind() == asdf_core::error::Kind::Usage => {
                    context.warnings.tell(error.at_file(file))
                }
                result => result?,
            }
        }
        Ok(Arc::new(registry))
    }
}

/// Warns of schemas in folders that are ignored.
fn warn_of_passed_over(registry: &Registry, warnings: &Warnings) {
    let ids = registry.passed_over();
    let message = match ids.as_slice() {
        [] => return,
        [id] => format!("--schemas has another schema with the built-in id {id}, which is ignored"),
        [first, others @ ..] => {
            let count = others.len();
            format!(
                "--schemas has other schemas with the built-in id {first} and {count} more, which are ignored"
            )
        }
    };
    let error = Error::usage(message);
    warnings.tell(error.with_hint("pass --replace-built-in to use the schemas of --schemas"));
}

/// Adds the schema in a file to a registry, and returns it with the schema's id.
pub(crate) fn with_schema(registry: Arc<Registry>, path: &Path) -> Result<(Arc<Registry>, String)> {
    with(registry, path).map_err(usage)
}

fn with(registry: Arc<Registry>, path: &Path) -> Result<(Arc<Registry>, String)> {
    let mut registry = Arc::unwrap_or_clone(registry);
    let id = registry.add_schema_file(path)?;
    Ok((Arc::new(registry), id))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn only_options_for_schemas_are_under_their_heading() {
        fn check(command: &clap::Command) {
            let found = command.get_arguments().filter(|arg| arg.get_help_heading() == Some(HEADING));
            for arg in found {
                let id = arg.get_id().as_str();
                assert!(
                    ["schemas", "package", "replace_built_in"].contains(&id),
                    "{}: {id}",
                    command.get_name()
                );
            }
            command.get_subcommands().for_each(check);
        }
        let mut cli = Cli::command();
        cli.build();
        check(&cli);
    }
}
