//! Formulas of others: transforms whose tags this crate does not know.

mod called;
mod differences;
mod formulas;

use std::fmt::Debug;
use std::sync::Arc;

pub(crate) use called::Called;
pub use formulas::Formulas;

/// A transform of your own tag: how to compute it.
///
/// Implement it for a type that is read from the tag, usually by `#[derive(Asdf)]`, and add the type to [`Formulas`].
///
/// Points come in blocks of up to a few hundred. Each input and each output is a slice with one number for each point, all
/// of the same length. Numbers are in the units that the file's transforms use, which this crate does not convert for
/// a formula. A point outside the domain gives NaN.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use asdf_core::value::Extra;
/// use asdf_core::{Asdf, File};
/// use asdf_gwcs::{Formula, Formulas, Inverse, Wcs};
///
/// /// The barrel distortion of a lens: `x * (1 + k * x^2)`.
/// #[derive(Debug, Asdf)]
/// #[asdf(tag = "asdf://example.org/tags/barrel-1.0.0")]
/// struct Barrel {
///     k: f64,
///     /// What all transforms can have, such as a bounding box.
///     #[asdf(extra)]
///     shared: Extra,
/// }
///
/// impl Formula for Barrel {
///     fn inputs(&self) -> usize {
///         1
///     }
///     fn outputs(&self) -> usize {
///         1
///     }
///     fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]) {
///         for (x, result) in inputs[0].iter().zip(outputs[0].iter_mut()) {
///             *result = x * (1.0 + self.k * x * x);
///         }
///     }
/// }
///
/// # let text = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
/// # wcs: !<tag:stsci.edu:gwcs/wcs-1.4.0>\n  name: lens\n  steps:\n\
/// # \x20 - !<tag:stsci.edu:gwcs/step-1.3.0>\n    frame: pixel\n\
/// # \x20   transform: !<asdf://example.org/tags/barrel-1.0.0> {k: 0.01}\n\
/// # \x20 - !<tag:stsci.edu:gwcs/step-1.3.0> {frame: angle}\n...\n";
/// # let file = File::from_bytes(text.as_bytes().to_vec())?;
/// let formulas = Formulas::new().add::<Barrel>();
/// let wcs = Wcs::open_with(&file, "/wcs", &formulas)?;
/// assert_eq!(wcs.pixel_to_world(&[2.0])?, [2.08]);
/// // The formula has no inverse, so it is inverted numerically.
/// assert!((wcs.world_to_pixel(&[2.08], Inverse::Exact)?[0] - 2.0).abs() < 1e-9);
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub trait Formula: Debug + Send + Sync {
    /// Returns the number of inputs, at least 1.
    fn inputs(&self) -> usize;

    /// Returns the number of outputs, at least 1.
    fn outputs(&self) -> usize;

    /// Computes the outputs of a block of points.
    ///
    /// There are [`inputs`](Self::inputs) slices to read and [`outputs`](Self::outputs) slices to fill. The outputs are NaN
    /// before the call.
    fn values(&self, inputs: &[&[f64]], outputs: &mut [&mut [f64]]);

    /// Computes the partial derivatives of a block of points, for numerical inverses.
    ///
    /// There is a slice to fill for each pair of an output and an input. That of output `o` by input `i` is at
    /// `o * self.inputs() + i`. By default, they are central differences of [`values`](Self::values), which is called twice
    /// for each input. Exact derivatives make inverses faster.
    fn derivatives(&self, inputs: &[&[f64]], derivatives: &mut [&mut [f64]]) {
        let outputs = self.outputs();
        differences::fill(|inputs, results| self.values(inputs, results), outputs, inputs, derivatives);
    }

    /// Returns the inverse, if there is a formula for it. By default, there is none.
    fn inverse(&self) -> Option<Arc<dyn Formula>> {
        None
    }
}
