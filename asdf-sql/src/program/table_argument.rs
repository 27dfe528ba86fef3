//! The value of --table.

use asdf_core::{Error, Result};
use asdf_sql::AsdfOptions;

/// A name for files, with the columns that they have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TableArgument {
    pub(crate) name: String,
    pub(crate) files: String,
    pub(crate) options: AsdfOptions,
}

impl TableArgument {
    /// Parses `NAME=FILES[,schema=TAG|,table=NAME]`.
    ///
    /// # Errors
    /// If the name or the files are missing.
    pub(crate) fn parse(text: &str, options: &AsdfOptions) -> Result<Self> {
        let wrong = || {
            Error::usage(format!("cannot read --table {}", text.escape_debug()))
                .with_hint("write NAME=FILES, NAME=FILES,schema=TAG or NAME=FILES,table=NAME")
        };
        let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
        let mut options = options.clone();
        let files = if let Some((files, tag)) = rest.rsplit_once(",schema=") {
            options = options.schema(tag);
            files
        } else if let Some((files, table)) = rest.rsplit_once(",table=") {
            options = options.table(table);
            files
        } else {
            rest
        };
        if name.is_empty() || files.is_empty() {
            return Err(wrong());
        }
        // Unquoted names in SQL are in lower case.
        Ok(Self { name: name.to_lowercase(), files: files.to_owned(), options })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_a_name_and_files() {
        let options = AsdfOptions::new();
        let parse = |text: &str| TableArgument::parse(text, &options);
        let table = parse("L2=a/*.asdf,table=WFIExposure").unwrap();
        assert_eq!((table.name.as_str(), table.files.as_str()), ("l2", "a/*.asdf"));
        assert_eq!(table.options, AsdfOptions::new().table("WFIExposure"));
        assert_eq!(parse("a=x,y/").unwrap().files, "x,y/");
        for wrong in ["a", "=x", "a=", "a=,schema=x"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
