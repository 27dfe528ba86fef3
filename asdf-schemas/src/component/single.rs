//! Reads single values in the tree as arrays without axes.

use asdf_core::array::{Complex, Slice};
use asdf_core::tree::{Kind, NodeRef};
use asdf_core::value::{Asdf as _, FromNode as _};
use asdf_core::{NdArray, Result, Tree};

/// Reads a number with the given datatype, or with int64, float64 or complex128. Returns `None` for other values.
pub(super) fn number(value: NodeRef<'_>, datatype: Option<NodeRef<'_>>) -> Result<Option<NdArray>> {
    let is_number = match value.own_tag() {
        Some(tag) => tag == Complex::TAG,
        None => matches!(value.kind(), Kind::Int | Kind::Float),
    };
    is_number.then(|| array(value, datatype)).transpose()
}

/// Reads a text, which can look like a timestamp. Returns `None` for other values.
pub(super) fn text(value: NodeRef<'_>) -> Result<Option<NdArray>> {
    matches!(value.kind(), Kind::String | Kind::Timestamp).then(|| array(value, None)).transpose()
}

/// Reads the value as a list of one element, because inline data has at least one axis.
fn array(value: NodeRef<'_>, datatype: Option<NodeRef<'_>>) -> Result<NdArray> {
    let mut tree = Tree::new();
    let element = tree.graft(value)?;
    if value.own_tag() != Some(Complex::TAG) {
        tree.set_tag(element, None);
    }
    let list = tree.add_sequence([element]);
    let array = tree.add_mapping([]);
    tree.insert(array, "data", list);
    if let Some(datatype) = datatype {
        let datatype = tree.graft(datatype)?;
        tree.insert(array, "datatype", datatype);
    }
    let read = NdArray::from_node(tree.node(array)).and_then(|array| array.slice(&[Slice::Index(0)]));
    // The path in the error is that of the temporary list.
    read.map_err(|error| value.place(error.without_path()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    #[test]
    fn an_error_has_the_place_of_the_datatype_and_its_hint() {
        let tree = parse("value: 5\ndatatype: int33\n").unwrap();
        let error = number(tree.at("/value").unwrap(), Some(tree.at("/datatype").unwrap())).unwrap_err();
        assert_eq!(error.message(), "found the string 'int33', expected a datatype such as float32");
        assert!(error.hint().unwrap().to_string().contains("complex128"));
        assert_eq!((error.line(), error.path()), (Some(1), None));
    }
}
