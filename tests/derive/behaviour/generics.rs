//! Types with parameters.

use std::collections::HashMap;
use std::hash::Hash;

use asdf_core::{Asdf, Node, Tagged};

use super::{from_text, refused, round_trip};

#[derive(Asdf, Debug, PartialEq)]
struct Pair<A, B = f64> {
    first: A,
    second: Option<B>,
}

#[test]
fn a_struct_of_any_types() {
    round_trip("{first: a, second: 1.0}", &Pair { first: "a".to_owned(), second: Some(1.0) });
    round_trip(
        "{first: {first: 1}}",
        &Pair::<_> { first: Pair { first: 1_u8, second: None::<bool> }, second: None },
    );
    assert!(refused::<Pair<u8>>("{first: a}").contains("/first: found the string 'a'"));
}

#[derive(Asdf, Debug, PartialEq)]
struct Table<K, V, const N: usize>
where
    K: Eq + Hash + Ord,
{
    columns: HashMap<K, [V; N]>,
}

#[test]
fn where_clauses_and_constants_stay() {
    let columns = [("a".to_owned(), [1.0, 2.0])].into();
    round_trip("{columns: {a: [1.0, 2.0]}}", &Table { columns });
    assert!(refused::<Table<String, f64, 2>>("{columns: {a: [1.0]}}").contains("a sequence of 2 items"));
}

#[derive(Asdf, Debug, PartialEq)]
struct Tree<T> {
    value: T,
    #[asdf(default)]
    children: Vec<Tree<T>>,
}

#[test]
fn a_generic_type_may_hold_itself() {
    let leaf = Tree { value: 2_u8, children: vec![] };
    round_trip("{value: 1, children: [{value: 2, children: []}]}", &Tree { value: 1, children: vec![leaf] });
}

#[derive(Asdf, Debug, PartialEq)]
enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

#[derive(Asdf, Debug, PartialEq)]
#[asdf(tag = "tag:x/wrapper-1.0.0")]
struct Wrapper<T>(T);

#[test]
fn enums_and_newtypes_of_any_types() {
    round_trip("a", &OneOrMany::One("a".to_owned()));
    round_trip("[1, 2]", &OneOrMany::Many(vec![1_u8, 2]));
    round_trip("!<tag:x/wrapper-1.0.0> [5]", &Wrapper(vec![5_u8]));
    let text = "[!<tag:x/wrapper-1.0.0> a]";
    round_trip(text, &from_text::<OneOrMany<Wrapper<String>>>(text));
}

#[derive(Asdf, Debug, PartialEq)]
struct Holder<T: Asdf> {
    value: Tagged<T>,
}

#[test]
fn bounds_of_the_type_stay() {
    let text = "{value: !<tag:x/wrapper-2.0.0> 5}";
    let value: Holder<Wrapper<String>> = from_text(text);
    assert_eq!(
        value.value,
        Tagged::Other(Node::from_ref(asdf_core::yaml::parse(text).unwrap().at("/value").unwrap()).unwrap())
    );
    round_trip(text, &value);
}

mod any {
    use asdf_core::{NodeId, NodeRef, Result, Tree};

    pub(super) struct Opaque<T>(pub T);

    pub(super) fn from_node<T: Default>(_: NodeRef<'_>) -> Result<Opaque<T>> {
        Ok(Opaque(T::default()))
    }

    pub(super) fn to_node<T>(_: &Opaque<T>, tree: &mut Tree) -> Result<NodeId> {
        Ok(tree.add_null())
    }
}

#[derive(Asdf)]
struct Unbounded<T: Default> {
    #[asdf(with = any)]
    opaque: any::Opaque<T>,
}

#[derive(Default, Debug, PartialEq)]
struct NotAsdf;

#[test]
fn unused_parameters_are_not_bounded() {
    assert_eq!(from_text::<Unbounded<NotAsdf>>("{opaque: 5}").opaque.0, NotAsdf);
}
