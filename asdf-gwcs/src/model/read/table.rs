//! Which function reads which kind of transform.

use asdf_core::Result;

use super::{Entry, Leaf, Reader, axes, compound, imaging, linear, name, polynomial, rotation};

/// Reads the properties of one kind of transform.
pub(super) type ReadLeaf = fn(&mut Reader, &Entry<'_>) -> Result<Leaf>;

/// The kinds of transforms by authority (see [`name`]) and name.
const KINDS: &[(&str, &str, ReadLeaf)] = &[
    ("transform", "compose", compound::compose),
    ("transform", "concatenate", compound::concatenate),
    ("transform", "add", compound::add),
    ("transform", "subtract", compound::subtract),
    ("transform", "multiply", compound::multiply),
    ("transform", "divide", compound::divide),
    ("transform", "power", compound::power),
    ("transform", "fix_inputs", compound::fix_inputs),
    ("transform", "identity", axes::identity),
    ("transform", "remap_axes", axes::remap_axes),
    ("transform", "constant", axes::constant),
    ("transform", "shift", linear::shift),
    ("transform", "scale", linear::scale),
    ("transform", "multiplyscale", linear::multiplyscale),
    ("transform", "linear1d", linear::linear1d),
    ("transform", "affine", linear::affine),
    ("transform", "rotate2d", linear::rotate2d),
    ("transform", "polynomial", polynomial::polynomial),
    ("transform", "rotate3d", rotation::rotate3d),
    ("transform", "rotate_sequence_3d", rotation::rotate_sequence_3d),
    ("gwcs", "spherical_cartesian", rotation::spherical_cartesian),
    ("gwcs", "fitswcs_imaging", imaging::fitswcs_imaging),
];

/// Returns the function that reads a transform with this tag.
pub(super) fn find(tag: &str) -> Option<ReadLeaf> {
    let (authority, name) = name::split(tag)?;
    KINDS.iter().find(|kind| (kind.0, kind.1) == (authority, name)).map(|kind| kind.2)
}
