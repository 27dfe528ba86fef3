//! Transforms of JWST, which the package `stdatamodels` defines.
//!
//! Later versions of a tag only refine the schema, so a reader serves all of them.

mod grism;
mod optics;
mod parts;
mod slits;

use super::line::Line;

/// The kinds of transforms.
pub(super) const KINDS: &[Line] = &[
    ("jwst", "coords", optics::coords),
    ("jwst", "grating_equation", optics::grating_equation),
    ("jwst", "logical", optics::logical),
    ("jwst", "miri_ab2slice", optics::miri_ab2slice),
    ("jwst", "refraction_index_from_prism", optics::refraction_index_from_prism),
    ("jwst", "rotation_sequence", optics::rotation_sequence),
    ("jwst", "snell", optics::snell),
    ("jwst", "gwa_to_slit", slits::gwa_to_slit),
    ("jwst", "slit_to_gwa", slits::slit_to_gwa),
    ("jwst", "slit_to_msa", slits::slit_to_msa),
    ("jwst", "msa_to_slit", slits::msa_to_slit),
    ("jwst", "niriss_soss", slits::niriss_soss),
    ("jwst", "niriss-soss", slits::niriss_soss),
    ("jwst", "nircam_grism_dispersion", grism::nircam),
    ("jwst", "niriss_grism_dispersion", grism::niriss),
    ("jwst", "miri_wfss_dispersion", grism::miri),
];
