//! Reference frames of astronomy.

use asdf_core::tree::{Kind, NodeRef};

use super::equinox::Equinox;

/// The reference frame of a [`Frame`](super::Frame), such as ICRS, by its tag.
///
/// Its attributes, such as an observer, stay in the tree of the file. The equinox is used for the keywords of FITS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceFrame {
    tag: String,
    name: String,
    equinox: Option<Equinox>,
}

impl ReferenceFrame {
    /// Reads the node of a reference frame. Old files have `{type: FK5}` instead of a tag.
    pub(super) fn read(node: NodeRef<'_>) -> Option<Self> {
        if node.is_null() {
            return None;
        }
        let tag = node.own_tag().unwrap_or_default();
        let last = tag.rsplit(['/', ':']).next().unwrap_or_default();
        let of_tag = last.rsplit_once('-').map_or(last, |(name, _)| name);
        let by_type = node.get("type").filter(|_| tag.is_empty()).and_then(NodeRef::text);
        let name = match (of_tag, by_type, node.kind()) {
            // The origin of a temporal frame.
            ("time", _, kind) if kind.is_scalar() => node.text().unwrap_or_default().to_owned(),
            ("time", _, Kind::Mapping) => {
                let value = node.get("value").filter(|value| value.kind().is_scalar());
                value.and_then(NodeRef::text).unwrap_or("time").to_owned()
            }
            ("", Some(kind), _) => kind.to_lowercase(),
            (name, _, _) => name.to_owned(),
        };
        Some(Self { tag: tag.to_owned(), name, equinox: Equinox::read(node) })
    }

    /// Returns the tag, such as `tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0`; empty if the file has none.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns the name, such as `icrs`, or the time from which a temporal frame counts.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the equinox, if the file gives it.
    pub(crate) fn equinox(&self) -> Option<&Equinox> {
        self.equinox.as_ref()
    }

    /// Returns whether longitudes are right ascensions, which are written in hours.
    pub(crate) fn is_equatorial(&self) -> bool {
        self.physical_types().is_some_and(|[longitude, _]| longitude == "pos.eq.ra")
    }

    /// Returns whether longitudes grow towards west as seen from Earth, as on the disk of the Sun.
    pub(crate) fn is_solar(&self) -> bool {
        ["helioprojective", "heliographic"].iter().any(|name| self.name.starts_with(name))
    }

    /// Returns the start of the physical types of positions in this frame, as astropy classifies it.
    pub(super) fn physical_types(&self) -> Option<[&'static str; 2]> {
        Some(match self.name.as_str() {
            "icrs" | "fk5" | "fk4" | "fk4noeterms" | "cirs" | "teme" => ["pos.eq.ra", "pos.eq.dec"],
            "galactic" => ["pos.galactic.lon", "pos.galactic.lat"],
            "gcrs" | "precessed_geocentric" | "precessedgeocentric" | "geocentrictrueecliptic" => {
                ["pos.bodyrc.lon", "pos.bodyrc.lat"]
            }
            name if name.ends_with("ecliptic") => ["pos.ecliptic.lon", "pos.ecliptic.lat"],
            _ => return None,
        })
    }
}
