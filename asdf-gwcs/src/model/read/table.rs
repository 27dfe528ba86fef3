//! Which function reads which kind of transform.

use asdf_core::Result;

use super::{
    Entry, Leaf, Reader, axes, compound, imaging, linear, name, optics, polynomial, profile, rotation,
    selector, series, tabular,
};

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
    ("transform", "tabular", tabular::tabular),
    ("gwcs", "lookuptable", tabular::lookuptable),
    ("transform", "ortho_polynomial", series::ortho_polynomial),
    ("transform", "spline1d", series::spline1d),
    ("gwcs", "grating_equation", optics::grating_equation),
    ("gwcs", "snell3d", optics::snell3d),
    ("gwcs", "sellmeier_glass", optics::sellmeier_glass),
    ("gwcs", "sellmeier_zemax", optics::sellmeier_zemax),
    ("gwcs", "direction_cosines", optics::direction_cosines),
    ("transform", "math_functions", optics::math_functions),
    ("gwcs", "label_mapper", selector::label_mapper),
    ("gwcs", "regions_selector", selector::regions_selector),
    ("transform", "label_mapper", selector::label_mapper),
    ("transform", "regions_selector", selector::regions_selector),
    ("transform", "sine1d", profile::profile),
    ("transform", "cosine1d", profile::profile),
    ("transform", "tangent1d", profile::profile),
    ("transform", "arcsine1d", profile::profile),
    ("transform", "arccosine1d", profile::profile),
    ("transform", "arctangent1d", profile::profile),
    ("transform", "exponential1d", profile::profile),
    ("transform", "logarithmic1d", profile::profile),
    ("transform", "redshift_scale_factor", profile::profile),
    ("transform", "gaussian1d", profile::profile),
    ("transform", "lorentz1d", profile::profile),
    ("transform", "moffat1d", profile::profile),
    ("transform", "voigt1d", profile::profile),
    ("transform", "box1d", profile::profile),
    ("transform", "trapezoid1d", profile::profile),
    ("transform", "ricker_wavelet1d", profile::profile),
    ("transform", "sersic1d", profile::profile),
    ("transform", "king_projected_analytic1d", profile::profile),
    ("transform", "drude1d", profile::profile),
    ("transform", "plummer1d", profile::profile),
    ("transform", "blackbody", profile::profile),
    ("transform", "power_law1d", profile::profile),
    ("transform", "broken_power_law1d", profile::profile),
    ("transform", "smoothly_broken_power_law1d", profile::profile),
    ("transform", "exponential_cutoff_power_law1d", profile::profile),
    ("transform", "log_parabola1d", profile::profile),
    ("transform", "schechter1d", profile::profile),
    ("transform", "planar2d", profile::profile),
    ("transform", "gaussian2d", profile::profile),
    ("transform", "moffat2d", profile::profile),
    ("transform", "airy_disk2d", profile::profile),
    ("transform", "box2d", profile::profile),
    ("transform", "disk2d", profile::profile),
    ("transform", "ellipse2d", profile::profile),
    ("transform", "ricker_wavelet2d", profile::profile),
    ("transform", "ring2d", profile::profile),
    ("transform", "sersic2d", profile::profile),
    ("transform", "trapezoid_disk2d", profile::profile),
];

/// Returns the function that reads a transform with this tag.
pub(super) fn find(tag: &str) -> Option<ReadLeaf> {
    let (authority, name) = name::split(tag)?;
    KINDS.iter().find(|kind| (kind.0, kind.1) == (authority, name)).map(|kind| kind.2)
}
