//! Functions of the transforms of DKIST.

pub(crate) mod raster;
pub(crate) mod varying;

#[cfg(test)]
mod tests;
