//! Configuration files: options that many commands share.

use std::path::{Path, PathBuf};

use asdf_core::{Error, Result};
use clap::ValueEnum as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::colour;
use crate::outcome::usage;

/// The configuration file of a project, in the current folder or one of its parents.
const PROJECT: &str = ".asdf.toml";

/// The settings of configuration files. Those of the project come before those of the user.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Config {
    /// Python packages with schemas, each with the configuration file that names it.
    pub(crate) packages: Vec<(String, PathBuf)>,
    /// Folders of schemas.
    pub(crate) schemas: Vec<PathBuf>,
    /// When to colour the output.
    pub(crate) color: Option<colour::Choice>,
}

/// Returns the configuration file of the project that the current folder belongs to.
fn project() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    folder.ancestors().map(|folder| folder.join(PROJECT)).find(|file| file.is_file())
}

/// Returns the configuration file of the user.
fn user() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let above = folder("XDG_CONFIG_HOME").or_else(|| match cfg!(windows) {
        true => folder("APPDATA"),
        false => folder("HOME").map(|home| home.join(".config")),
    })?;
    Some(above.join("asdf").join("config.toml")).filter(|file| file.is_file())
}

impl Config {
    /// Reads the configuration files of the project and of the user.
    pub(crate) fn of_files() -> Result<Self> {
        let mut config = Self::default();
        for file in project().into_iter().chain(user()) {
            config.read(&file).map_err(usage)?;
        }
        Ok(config)
    }

    /// Adds the settings of a file; those of earlier files win.
    fn read(&mut self, file: &Path) -> Result<()> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| Error::io("reading the configuration", error).at_file(file))?;
        self.add(&text, file).map_err(|error| error.at_file(file))
    }

    fn add(&mut self, text: &str, file: &Path) -> Result<()> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.message().lines().next().unwrap_or_default().to_owned();
            placed(
                Error::malformed(format!("the configuration is not TOML: {line}")),
                text,
                error.span().map(|span| span.start),
            )
        })?;
        for (key, value) in table.get_ref() {
            match &**key.get_ref() {
                "packages" => {
                    let names = strings(value, text)?;
                    self.packages.extend(names.into_iter().map(|name| (name, file.to_path_buf())));
                }
                "schemas" => {
                    // Folders are relative to the configuration file, not to the current folder.
                    let above = file.parent().unwrap_or(Path::new(""));
                    self.schemas.extend(strings(value, text)?.into_iter().map(|folder| above.join(folder)));
                }
                "color" => {
                    let word = value.get_ref().as_str();
                    let choice = word.and_then(|word| colour::Choice::from_str(word, false).ok());
                    let choice = choice.ok_or_else(|| wrong(value, text, "'auto', 'always' or 'never'"))?;
                    self.color = self.color.or(Some(choice));
                }
                other => {
                    let error = Error::malformed(format!("unknown key '{}'", other.escape_debug()));
                    let error = placed(error, text, Some(key.span().start));
                    return Err(error.with_hint("use one of packages, schemas or color"));
                }
            }
        }
        Ok(())
    }
}

/// A list of strings.
fn strings(value: &Spanned<DeValue<'_>>, text: &str) -> Result<Vec<String>> {
    let expected = "a list of strings";
    let items = value.get_ref().as_array().ok_or_else(|| wrong(value, text, expected))?;
    items
        .iter()
        .map(|item| item.get_ref().as_str().map(str::to_owned).ok_or_else(|| wrong(item, text, expected)))
        .collect()
}

fn wrong(value: &Spanned<DeValue<'_>>, text: &str, expected: &str) -> Error {
    let found = match value.get_ref() {
        DeValue::String(word) => format!("'{}'", word.escape_debug()),
        other => format!("a value of the type {}", other.type_str()),
    };
    placed(Error::malformed(format!("found {found}, expected {expected}")), text, Some(value.span().start))
}

/// Adds the line and column of a byte offset to an error.
fn placed(error: Error, text: &str, at: Option<usize>) -> Error {
    let Some(before) = at.and_then(|at| text.get(..at)) else { return error };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    match (u32::try_from(line), u32::try_from(column)) {
        (Ok(line), Ok(column)) => error.at_position(line, column),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earlier_files_win_and_lists_are_joined() {
        let mut config = Config::default();
        config
            .add(
                "packages = ['rad']\nschemas = ['own', '/all']\ncolor = 'never'\n",
                Path::new("/a/.asdf.toml"),
            )
            .unwrap();
        config
            .add("# nothing else\npackages = ['dkist']\ncolor = 'always'\n", Path::new("/b/config.toml"))
            .unwrap();
        let packages = [("rad", "/a/.asdf.toml"), ("dkist", "/b/config.toml")];
        assert_eq!(config.packages, packages.map(|(name, file)| (name.to_owned(), PathBuf::from(file))));
        assert_eq!(config.schemas, [PathBuf::from("/a/own"), PathBuf::from("/all")]);
        assert_eq!(config.color, Some(colour::Choice::Never));
    }

    #[test]
    fn errors_have_a_line_and_column() {
        for (text, expected) in [
            (
                "\ncolour = 'never'\n",
                "line 2, column 1: unknown key 'colour'\n  hint: use one of packages, schemas or color",
            ),
            ("packages = 'rad'\n", "line 1, column 12: found 'rad', expected a list of strings"),
            (
                "packages = [1]\n",
                "line 1, column 13: found a value of the type integer, expected a list of strings",
            ),
            (
                "color = 'sometimes'\n",
                "line 1, column 9: found 'sometimes', expected 'auto', 'always' or 'never'",
            ),
            ("[schemas]\n", "line 1, column 1: found a value of the type table, expected a list of strings"),
        ] {
            let error = Config::default().add(text, Path::new("x.toml")).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let error = Config::default().add("a = \n", Path::new("x.toml")).unwrap_err();
        assert!(error.to_string().starts_with("line 1, "), "{error}");
    }
}
