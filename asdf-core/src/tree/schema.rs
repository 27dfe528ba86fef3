//! Nodes as those of schemas.

use asdf_schema_model::Value;

use super::{Kind, NodeRef};

impl<'t> Value<'t> for NodeRef<'t> {
    fn as_str(self) -> Option<&'t str> {
        self.as_str()
    }

    fn text(self) -> Option<&'t str> {
        self.text()
    }

    fn as_bool(self) -> Option<bool> {
        self.as_bool()
    }

    fn as_f64(self) -> Option<f64> {
        self.as_f64()
    }

    fn is_list(self) -> bool {
        self.kind() == Kind::Sequence
    }

    fn is_mapping(self) -> bool {
        self.kind() == Kind::Mapping
    }

    fn items(self) -> impl Iterator<Item = Self> {
        self.items()
    }

    fn entries(self) -> impl Iterator<Item = (Self, Self)> {
        self.entries()
    }

    fn get(self, key: &str) -> Option<Self> {
        self.get(key)
    }
}
