//! Points in arrays of the crate `ndarray`.

use asdf_core::{Error, Result};
use ndarray::{Array, ArrayView, Dimension};

use crate::transform::Transform;
use crate::wcs::Wcs;

impl Transform {
    /// Computes many points in arrays: one array for each coordinate, all of the same shape.
    ///
    /// Returns an array of that shape for each coordinate of the results, in row-major order. Arrays that are not in
    /// row-major order are copied first. Needs the feature `ndarray`.
    ///
    /// # Errors
    /// If the number of arrays is not [`inputs`](Self::inputs), or if their shapes differ.
    ///
    /// # Examples
    /// ```no_run
    /// use asdf_gwcs::{Inverse, Wcs};
    /// use ndarray::Array2;
    ///
    /// let file = asdf_core::File::open("cal.asdf")?;
    /// let wcs = Wcs::only(&file)?;
    /// let x = Array2::from_shape_fn((100, 200), |(_, column)| column as f64);
    /// let y = Array2::from_shape_fn((100, 200), |(row, _)| row as f64);
    /// let sky = wcs.pixel_to_world_arrays(&[x.view(), y.view()])?;
    /// let back = wcs.inverse(Inverse::Exact)?.arrays(&[sky[0].view(), sky[1].view()])?;
    /// assert!((back[0][[10, 30]] - 30.0).abs() < 1e-9);
    /// # Ok::<(), asdf_core::Error>(())
    /// ```
    pub fn arrays<D: Dimension>(&self, points: &[ArrayView<'_, f64, D>]) -> Result<Vec<Array<f64, D>>> {
        let Some(first) = points.first() else {
            return Err(Error::usage(format!("found no arrays, expected {}", self.inputs())));
        };
        let shape = first.raw_dim();
        if let Some(other) = points.iter().find(|points| points.raw_dim() != shape) {
            let message = format!(
                "found arrays of shape {:?} and {:?}, expected the same shape for all coordinates",
                first.shape(),
                other.shape()
            );
            return Err(Error::usage(message));
        }
        let rows: Vec<_> = points.iter().map(|points| points.as_standard_layout()).collect();
        let columns: Vec<&[f64]> = rows.iter().map(|rows| rows.as_slice().unwrap_or_default()).collect();
        let results = self.columns(&columns)?.into_iter();
        let shaped = results.map(|column| Array::from_shape_vec(shape.clone(), column));
        shaped.collect::<std::result::Result<_, _>>().map_err(|error| Error::usage(error.to_string()))
    }
}

impl Wcs {
    /// Returns the world coordinates of many points in arrays: see [`Transform::arrays`]. Needs the feature `ndarray`.
    ///
    /// # Errors
    /// Like [`forward`](Self::forward) and [`Transform::arrays`].
    pub fn pixel_to_world_arrays<D: Dimension>(
        &self,
        pixels: &[ArrayView<'_, f64, D>],
    ) -> Result<Vec<Array<f64, D>>> {
        self.forward()?.arrays(pixels)
    }
}
