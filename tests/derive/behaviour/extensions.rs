//! Extensions are recorded in files that use them, and compared in files that are read.

use std::sync::Arc;

use asdf_core::block::codec::Encoding;
use asdf_core::block::{Codec, Label};
use asdf_core::file::Extension;
use asdf_core::{Asdf, File, NdArray, OpenOptions, Result};
use asdf_schemas::{Registry, Validator};

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "asdf://example.org/lab/tags/probe-1.0.0", accepts = ["asdf://example.org/lab/tags/probe-1.*"])]
struct Probe {
    name: String,
    #[asdf(array, codec = "inv")]
    counts: Option<Vec<u8>>,
}

const URI: &str = "asdf://example.org/lab/extensions/lab-1.0.0";

/// Each byte, upside down.
#[derive(Debug)]
struct Inverted;

impl Codec for Inverted {
    fn label(&self) -> Label {
        Label::new(*b"inv\0")
    }

    fn encode(&self, data: &[u8], _: &Encoding) -> Result<Vec<u8>> {
        Ok(data.iter().map(|byte| !byte).collect())
    }

    fn decode(&self, stored: &[u8], _: u64) -> Result<Vec<u8>> {
        Ok(stored.iter().map(|byte| !byte).collect())
    }

    fn max_expansion(&self) -> u64 {
        1
    }
}

fn lab(version: &str) -> Extension {
    Extension::new(URI).expect("a URI").package("lab", version).with::<Probe>().codec(Arc::new(Inverted))
}

fn probe() -> Probe {
    Probe { name: "a".into(), counts: Some(vec![1, 2, 3]) }
}

fn written(version: &str) -> Vec<u8> {
    let mut file = File::new();
    file.add_extension(lab(version));
    file.set("/probe", &probe()).expect("a probe can be written");
    file.to_bytes().expect("a file can be written")
}

fn recorded(file: &File) -> Vec<String> {
    let extensions = file.at("/history/extensions").expect("the file is signed");
    let uri = |entry: asdf_core::NodeRef<'_>| entry.get("extension_uri")?.as_str().map(str::to_owned);
    extensions.items().filter_map(uri).collect()
}

#[test]
fn the_codecs_of_an_extension_read_the_file() {
    let file = OpenOptions::new().extension(lab("1.0")).open_bytes(written("1.0")).unwrap();
    assert_eq!(file.get::<Probe>("/probe").unwrap(), probe());
    let other = File::from_bytes(written("1.0")).unwrap();
    assert!(other.get::<Probe>("/probe").unwrap_err().to_string().contains("'inv'"));
}

#[test]
fn an_extension_is_recorded_only_in_files_that_use_it() {
    let core = "asdf://asdf-format.org/core/extensions/core-1.6.0";
    assert_eq!(recorded(&File::from_bytes(written("1.0")).unwrap()), [core, URI]);
    let mut unused = File::new();
    unused.add_extension(lab("1.0"));
    unused.set("/x", &1).unwrap();
    assert_eq!(recorded(&File::from_bytes(unused.to_bytes().unwrap()).unwrap()), [core]);
    // Using its codec also uses the extension.
    let array = NdArray::new(&[1], &[5_u8]).unwrap();
    let array = array.with_compression(asdf_core::Compression::new(Label::new(*b"inv\0"))).unwrap();
    unused.set("/x", &array).unwrap();
    assert_eq!(recorded(&File::from_bytes(unused.to_bytes().unwrap()).unwrap()), [core, URI]);
}

#[test]
fn the_last_writer_is_recorded() {
    let open =
        |version: &str, bytes: Vec<u8>| OpenOptions::new().extension(lab(version)).open_bytes(bytes).unwrap();
    let newer = open("1.1", written("1.0"));
    assert!(newer.warnings().is_empty());
    let bytes = newer.to_bytes().unwrap();
    let file = File::from_bytes(bytes.clone()).unwrap();
    assert_eq!(recorded(&file).len(), 2);
    assert_eq!(file.get::<String>("/history/extensions/1/software/version").unwrap(), "1.1");
    let older = open("1.0", bytes);
    let warning = older.warnings()[0].to_string();
    assert!(warning.contains("the file was written with lab 1.1, but this program has lab 1.0"), "{warning}");
    assert!(warning.contains("/history/extensions") && older.warnings()[0].line().is_some(), "{warning}");
}

#[test]
fn types_of_an_extension_are_validated_by_their_schemas() {
    let mut registry = Registry::new();
    registry.add_extension(&lab("1.0")).unwrap();
    let validator = Validator::new(Arc::new(registry));
    let report = |text: &str| {
        let tree =
            asdf_core::yaml::parse(&format!("!<asdf://example.org/lab/tags/probe-1.0.0> {text}")).unwrap();
        let report = validator.validate_tree(&tree);
        report.violations().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(report("{name: a}").is_empty());
    assert_eq!(report("{name: 5}"), ["1:51: /name: found the integer 5, expected a string"]);
    assert_eq!(report("{}").len(), 1);
}
