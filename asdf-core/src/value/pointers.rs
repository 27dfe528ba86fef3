//! Pointers, which are read and written as the values that they point to.
//!
//! A value behind several shared pointers is written once for each.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use super::{Description, FromNode, Kinds, OwnTag, ToNode};
use crate::error::Result;
use crate::tree::{NodeId, NodeRef, Tree};

macro_rules! owned {
    ($($pointer:ident)*) => {$(
        impl<T: FromNode> FromNode for $pointer<T> {
            const TYPES: Kinds = T::TYPES;
            const READS_ALL: Kinds = T::READS_ALL;
            const OPTIONAL: bool = T::OPTIONAL;
            const OWN_TAG: OwnTag = T::OWN_TAG;

            fn describe() -> Description {
                T::describe()
            }

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                T::from_node(node).map(Self::new)
            }

            fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
                Ok(T::from_version(node)?.map(Self::new))
            }

            fn from_absent() -> Option<Self> {
                T::from_absent().map(Self::new)
            }

            fn accepts_tag(tag: &str) -> bool {
                T::accepts_tag(tag)
            }

            fn expected() -> String {
                T::expected()
            }

            fn matches(node: NodeRef<'_>) -> bool {
                T::matches(node)
            }
        }

        impl FromNode for $pointer<str> {
            const TYPES: Kinds = String::TYPES;
            const READS_ALL: Kinds = String::READS_ALL;
            const OWN_TAG: OwnTag = OwnTag::None;

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                node.as_str().map(Self::from).ok_or_else(|| node.expected("a string"))
            }
        }

        impl<T: FromNode> FromNode for $pointer<[T]> {
            const TYPES: Kinds = Kinds::SEQUENCE;
            const OWN_TAG: OwnTag = OwnTag::None;

            fn describe() -> Description {
                Vec::<T>::describe()
            }

            fn from_node(node: NodeRef<'_>) -> Result<Self> {
                Vec::from_node(node).map(Self::from)
            }
        }

        impl<T: ToNode + ?Sized> ToNode for $pointer<T> {
            fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
                (**self).to_node(tree)
            }

            fn is_absent(&self) -> bool {
                (**self).is_absent()
            }
        }
    )*};
}

owned!(Box Rc Arc);

impl<T: ToNode + ?Sized> ToNode for &T {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        (**self).to_node(tree)
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}

/// The value is owned, because a node cannot be borrowed for the required lifetime.
impl<T: ToOwned<Owned: FromNode> + ?Sized> FromNode for Cow<'_, T> {
    const TYPES: Kinds = T::Owned::TYPES;
    const READS_ALL: Kinds = T::Owned::READS_ALL;
    const OPTIONAL: bool = T::Owned::OPTIONAL;
    const OWN_TAG: OwnTag = T::Owned::OWN_TAG;

    fn describe() -> Description {
        T::Owned::describe()
    }

    fn from_node(node: NodeRef<'_>) -> Result<Self> {
        T::Owned::from_node(node).map(Cow::Owned)
    }

    fn from_version(node: NodeRef<'_>) -> Result<Result<Self>> {
        Ok(T::Owned::from_version(node)?.map(Cow::Owned))
    }

    fn from_absent() -> Option<Self> {
        T::Owned::from_absent().map(Cow::Owned)
    }

    fn accepts_tag(tag: &str) -> bool {
        T::Owned::accepts_tag(tag)
    }

    fn expected() -> String {
        T::Owned::expected()
    }

    fn matches(node: NodeRef<'_>) -> bool {
        T::Owned::matches(node)
    }
}

impl<T: ToNode + ToOwned + ?Sized> ToNode for Cow<'_, T> {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        (**self).to_node(tree)
    }

    fn is_absent(&self) -> bool {
        (**self).is_absent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Node;
    use crate::yaml;

    fn round_trip<T: FromNode + ToNode + PartialEq + std::fmt::Debug>(text: &str, value: &T) {
        let tree = yaml::parse(text).unwrap();
        assert_eq!(&tree.get::<T>("").unwrap(), value);
        assert_eq!(Some(Node::new(value).unwrap().view()), tree.root());
    }

    #[test]
    fn pointers_are_written_as_their_values() {
        round_trip::<Rc<i32>>("5", &Rc::new(5));
        round_trip::<Arc<str>>("five", &"five".into());
        round_trip::<Box<str>>("five", &"five".into());
        round_trip::<Box<[i32]>>("[5, 6]", &vec![5, 6].into());
        round_trip::<Arc<[String]>>("[a]", &vec!["a".to_owned()].into());
        round_trip::<Cow<'_, str>>("five", &"five".into());
        round_trip::<Cow<'_, [f64]>>("[0.5]", &vec![0.5].into());
        round_trip::<Box<Option<Rc<bool>>>>("~", &Box::new(None));
        const { assert!(Rc::<Option<u8>>::OPTIONAL && !Cow::<'_, str>::OPTIONAL) };
        assert_eq!(Cow::<str>::expected(), "a string");
    }
}
