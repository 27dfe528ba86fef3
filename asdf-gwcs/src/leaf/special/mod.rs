//! Special functions, for the profiles that need them.

mod bessel;
mod faddeeva;
mod gamma;

pub(crate) use bessel::bessel;
pub(crate) use faddeeva::faddeeva;
pub(crate) use gamma::gamma_median;
