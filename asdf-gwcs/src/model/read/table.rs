//! Which function reads which kind of transform.

use asdf_core::Result;

use super::{Entry, Leaf, Reader, axes, compound, imaging, linear, name, polynomial, projection, rotation};

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
    ("astropy", "units_mapping", axes::units_mapping),
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
    ("transform", "airy", projection::projection),
    ("transform", "bonne_equal_area", projection::projection),
    ("transform", "cobe_quad_spherical_cube", projection::projection),
    ("transform", "conic_equal_area", projection::projection),
    ("transform", "conic_equidistant", projection::projection),
    ("transform", "conic_orthomorphic", projection::projection),
    ("transform", "conic_perspective", projection::projection),
    ("transform", "cylindrical_equal_area", projection::projection),
    ("transform", "cylindrical_perspective", projection::projection),
    ("transform", "gnomonic", projection::projection),
    ("transform", "hammer_aitoff", projection::projection),
    ("transform", "healpix", projection::projection),
    ("transform", "healpix_polar", projection::projection),
    ("transform", "mercator", projection::projection),
    ("transform", "molleweide", projection::projection),
    ("transform", "parabolic", projection::projection),
    ("transform", "plate_carree", projection::projection),
    ("transform", "polyconic", projection::projection),
    ("transform", "quad_spherical_cube", projection::projection),
    ("transform", "sanson_flamsteed", projection::projection),
    ("transform", "slant_orthographic", projection::projection),
    ("transform", "slant_zenithal_perspective", projection::projection),
    ("transform", "stereographic", projection::projection),
    ("transform", "tangential_spherical_cube", projection::projection),
    ("transform", "zenithal_equal_area", projection::projection),
    ("transform", "zenithal_equidistant", projection::projection),
    ("transform", "zenithal_perspective", projection::projection),
    ("gwcs", "spherical_cartesian", rotation::spherical_cartesian),
    ("gwcs", "fitswcs_imaging", imaging::fitswcs_imaging),
];

/// Returns the function that reads a transform with this tag.
pub(super) fn find(tag: &str) -> Option<ReadLeaf> {
    let (authority, name) = name::split(tag)?;
    KINDS.iter().find(|kind| (kind.0, kind.1) == (authority, name)).map(|kind| kind.2)
}
