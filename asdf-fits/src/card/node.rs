//! Converts cards to and from nodes: lists of up to three items.

use asdf_core::array::{Complex, Integer};
use asdf_core::tree::{Kind, NodeId, NodeRef, Style, Tree};
use asdf_core::value::{Kinds, Number};
use asdf_core::{FromNode, Result, ToNode};

use super::{Card, CardValue};

impl FromNode for Card {
    const TYPES: Kinds = Kinds::SEQUENCE;

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        if node.kind() != Kind::Sequence || node.len() > 3 {
            return node.fail("a card: a list of a keyword, a value and a comment");
        }
        let text = |index: usize| match node.item(index).filter(|item| !item.is_null()) {
            Some(item) => String::from_node(item).map_err(|error| error.under(index)),
            None => Ok(String::new()),
        };
        let keyword = text(0)?;
        let keyword = keyword.strip_prefix("HIERARCH ").map(str::to_owned).unwrap_or(keyword);
        let value = match node.item(1).filter(|item| !item.is_null()) {
            Some(item) => Some(value(item).map_err(|error| error.under(1))?),
            None => None,
        };
        Ok(Self { keyword, value, comment: text(2)? })
    }
}

fn value(node: NodeRef<'_>) -> Result<CardValue> {
    if node.own_tag().is_some_and(Complex::accepts_tag) {
        return Complex::from_node(node).map(CardValue::Complex);
    }
    if node.own_tag().is_some_and(Integer::accepts_tag) {
        return Integer::from_node(node)
            .map(|integer| CardValue::Number(Number::Int(integer.value().clone())));
    }
    match node.kind() {
        Kind::Bool => bool::from_node(node).map(CardValue::Bool),
        Kind::Int | Kind::Float => Number::from_node(node).map(CardValue::Number),
        // Dates without quotes are timestamps in YAML, and strings in FITS.
        Kind::String | Kind::Timestamp => Ok(CardValue::Text(node.text().unwrap_or_default().to_owned())),
        _ => node.fail("a string, a number or a boolean"),
    }
}

impl ToNode for Card {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mut items = Vec::new();
        if !(self.keyword.is_empty() && self.value.is_none() && self.comment.is_empty()) {
            items.push(tree.add_str(&self.keyword));
        }
        if self.value.is_some() || !self.comment.is_empty() {
            items.push(match &self.value {
                None => tree.add_null(),
                Some(CardValue::Text(text)) => tree.add_str(text),
                Some(CardValue::Bool(value)) => tree.add_bool(*value),
                // The standard allows integers of up to 64 bits in trees. Larger ones become floats.
                Some(CardValue::Number(Number::Int(number))) => match i64::try_from(number) {
                    Ok(number) => tree.add_int(number),
                    Err(_) => tree.add_float(Number::Int(number.clone()).to_f64()),
                },
                Some(CardValue::Number(Number::Float(number))) => tree.add_float(*number),
                Some(CardValue::Complex(number)) => number.to_node(tree)?,
            });
        }
        if !self.comment.is_empty() {
            items.push(tree.add_str(&self.comment));
        }
        let id = tree.add_sequence(items);
        tree.set_style(id, Style::Flow);
        Ok(id)
    }
}
