//! Fields whose elements are written as blocks.

use asdf_core::array::{Ascii, Record};
use asdf_core::block::Label;
use asdf_core::{Asdf, File};

#[derive(Debug, Clone, PartialEq, Record)]
struct Star {
    name: Ascii<8>,
    flux: f32,
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/catalogue-1.0.0")]
struct Catalogue {
    #[asdf(array)]
    weights: Vec<f32>,
    #[asdf(array, codec = "zlib:9")]
    positions: Vec<[f64; 2]>,
    #[asdf(array, codec = "lz4")]
    flags: Option<Vec<u8>>,
    #[asdf(records, codec = "zlib")]
    stars: Vec<Star>,
    #[asdf(array, rename = "corner values")]
    corners: [i16; 4],
}

fn catalogue() -> Catalogue {
    Catalogue {
        weights: vec![1.5, 2.5],
        positions: vec![[1.0, 2.0]; 500],
        flags: Some(vec![7; 1000]),
        stars: vec![Star { name: Ascii::new("Vega").expect("the name fits"), flux: 1.0 }; 100],
        corners: [1, 2, 3, 4],
    }
}

#[test]
fn elements_stand_in_blocks_with_their_codecs() {
    let mut file = File::new();
    file.set("/catalogue", &catalogue()).unwrap();
    let file = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(file.get::<Catalogue>("/catalogue").unwrap(), catalogue());
    let labels: Vec<Label> = file.blocks().unwrap().iter().map(|block| block.header().compression).collect();
    assert_eq!(labels, [Label::NONE, Label::ZLIB, Label::LZ4, Label::ZLIB, Label::NONE]);
    assert_eq!(file.array("/catalogue/positions").unwrap().shape(), [500, 2]);
    // Write the file again and read it.
    let again = File::from_bytes(file.to_bytes().unwrap()).unwrap();
    assert_eq!(again.get::<Catalogue>("/catalogue").unwrap(), catalogue());
}

#[test]
fn an_absent_array_is_not_written() {
    let mut file = File::new();
    file.set("/catalogue", &Catalogue { flags: None, ..catalogue() }).unwrap();
    assert!(file.tree().find("/catalogue/flags").is_none());
    assert!(file.get::<Catalogue>("/catalogue").unwrap().flags.is_none());
}

#[derive(Debug, Asdf)]
struct Weights {
    #[asdf(array)]
    weights: Vec<f32>,
}

#[test]
fn arrays_of_another_shape_or_type_are_refused_with_their_place() {
    let array = |text: &str| format!("!<tag:stsci.edu:asdf/core/ndarray-1.1.0> {text}");
    let text = format!(
        "weights: {}\npositions: {}\nstars: {}\ncorner values: {}\n",
        array("[[1.5]]"),
        array("[[1, 2, 3]]"),
        array("[1.5]"),
        array("[1, 2, 3]")
    );
    let error = asdf_core::yaml::parse(&text).unwrap().get::<Catalogue>("").unwrap_err().to_string();
    for expected in [
        "line 1, column 51: /weights: found an array of shape [1, 1], expected one axis",
        "line 2, column 53: /positions: found an array of shape [1, 3], expected [*, 2]",
        "line 4, column 57: /corner values: found an array of shape [3], expected [4]",
    ] {
        assert!(error.contains(expected), "{error}");
    }
    assert!(error.contains("line 3, column 49: /stars: "), "{error}");
    // Integers that fit are converted to floats. A list without a tag is also an array.
    let tree = asdf_core::yaml::parse("weights: [1, 2]").unwrap();
    assert_eq!(tree.get::<Weights>("").unwrap().weights, [1.0, 2.0]);
}
