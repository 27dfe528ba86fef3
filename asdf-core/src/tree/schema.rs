//! Nodes as values for schemas.

use asdf_schema_model::{Kinds, Value};

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

    fn as_i128(self) -> Option<i128> {
        self.as_i128()
    }

    fn kinds(self) -> Kinds {
        self.kind().into()
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

impl From<Kind> for Kinds {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOL,
            Kind::Int => Self::INT,
            Kind::Float => Self::FLOAT,
            Kind::String => Self::STRING,
            Kind::Timestamp => Self::TIMESTAMP,
            Kind::Sequence => Self::SEQUENCE,
            Kind::Mapping => Self::MAPPING,
        }
    }
}
