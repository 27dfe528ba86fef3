//! Functions of the transforms of JWST.

pub(crate) mod condition;
pub(crate) mod direction;
pub(crate) mod grating;
pub(crate) mod prism;
pub(crate) mod rotation;
pub(crate) mod slice;
pub(crate) mod trace;

#[cfg(test)]
mod tests;
