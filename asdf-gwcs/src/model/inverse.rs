//! Inverses by formulas.

use std::sync::Arc;

use super::{Kind, Model, OutputUnit, Units};

/// Products of matrices and their transposes that differ from one by less than this are rotations.
const ORTHOGONAL: f64 = 1e-13;

impl Model {
    /// Returns the inverse: the one that the file gives, or else the one by formula. `None` if there is neither.
    pub(crate) fn inverse(&self) -> Option<Arc<Self>> {
        if let Some(inverse) = &self.inverse {
            return Some(Arc::clone(inverse));
        }
        let kind = self.kind.inverse()?;
        Some(Arc::new(Self {
            units: self.units.inverse(kind.outputs()),
            kind,
            inputs: self.outputs.clone(),
            outputs: self.inputs.clone(),
            inverse: None,
            bounds: None,
            path: self.path.clone(),
        }))
    }

    /// Whether the inverse, or a part of it, is from the file and so may be an approximation.
    pub(crate) fn has_stored_inverse(&self) -> bool {
        self.inverse.is_some() || self.kind.parts().into_iter().any(|part| part.has_stored_inverse())
    }
}

impl Kind {
    fn inverse(&self) -> Option<Self> {
        match self {
            Self::Compose(first, second) => Some(Self::Compose(second.inverse()?, first.inverse()?)),
            Self::Concatenate(left, right) => Some(Self::Concatenate(left.inverse()?, right.inverse()?)),
            Self::Remap { mapping, inputs } => {
                let positions: Option<Vec<usize>> =
                    (0..*inputs).map(|input| mapping.iter().position(|source| *source == input)).collect();
                Some(Self::Remap { mapping: positions?, inputs: mapping.len() })
            }
            Self::Identity(count) => Some(Self::Identity(*count)),
            Self::Linear { factor, offset } => {
                (*factor != 0.0).then(|| Self::Linear { factor: 1.0 / factor, offset: -offset / factor })
            }
            Self::Affine { matrix, translation } => {
                let inverse = invert(matrix, translation.len())?;
                let translation =
                    multiply(&inverse, translation).into_iter().map(|value| 0.0 - value).collect();
                Some(Self::Affine { matrix: inverse, translation })
            }
            Self::SphericalToCartesian { positive } => {
                Some(Self::CartesianToSpherical { positive: *positive })
            }
            Self::CartesianToSpherical { positive } => {
                Some(Self::SphericalToCartesian { positive: *positive })
            }
            Self::Paired(forward, backward) => {
                Some(Self::Paired(backward.clone()?, Some(Arc::clone(forward))))
            }
            Self::Function(function) => function.inverse().map(Self::Function),
            _ => None,
        }
    }
}

impl Units {
    /// The units of the inverse, which has this number of outputs.
    fn inverse(&self, outputs: usize) -> Self {
        if self.inputs.is_empty() && self.outputs.is_empty() {
            return self.clone();
        }
        let inputs = self
            .outputs
            .iter()
            .enumerate()
            .map(|(index, output)| match output {
                OutputUnit::Of(unit) => Some(unit.clone()),
                OutputUnit::SameAs(input) => self.inputs.get(*input).cloned().flatten(),
                OutputUnit::None => None,
                OutputUnit::Times(..) => self.product(index),
            })
            .collect();
        let output = |index: usize| match (self.inputs.get(index).cloned().flatten(), self.outputs.get(index))
        {
            (Some(unit), _) => OutputUnit::Of(unit),
            (None, Some(OutputUnit::Times(from, unit))) => match asdf_units::Unit::one().divide(unit) {
                Ok(unit) => OutputUnit::Times(*from, unit),
                Err(_) => OutputUnit::None,
            },
            (None, Some(OutputUnit::SameAs(_))) => OutputUnit::SameAs(index),
            // Quantities stay quantities, so that angles that are computed from a vector have a unit again.
            (None, Some(OutputUnit::Of(_))) => OutputUnit::Of(asdf_units::Unit::one()),
            (None, _) => OutputUnit::None,
        };
        let outputs = (0..outputs).map(output).collect();
        Self { inputs, outputs, scales: Vec::new(), quantity: self.quantity }
    }

    /// The unit of an output that is the product of an input's unit and another, if the input's is known.
    fn product(&self, output: usize) -> Option<asdf_units::Unit> {
        match self.outputs.get(output)? {
            OutputUnit::Times(input, unit) => self.inputs.get(*input)?.as_ref()?.multiply(unit).ok(),
            _ => None,
        }
    }
}

/// Inverts a square matrix by rows. `None` if it is singular.
fn invert(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let transposed = transpose(matrix, size);
    if is_identity(&product(matrix, &transposed, size), size) {
        return Some(transposed);
    }
    let at = |row: usize, column: usize| matrix.get(row * size + column).copied();
    match size {
        2 => {
            let (a, b, c, d) = (at(0, 0)?, at(0, 1)?, at(1, 0)?, at(1, 1)?);
            let determinant = a * d - b * c;
            regular(determinant, matrix)?;
            Some(vec![d / determinant, -b / determinant, -c / determinant, a / determinant])
        }
        _ => eliminate(matrix, size),
    }
}

/// Fails for a determinant that is 0 or not finite, compared with the size of the matrix.
fn regular(determinant: f64, matrix: &[f64]) -> Option<()> {
    let size = matrix.iter().fold(0.0_f64, |size, value| size.max(value.abs()));
    (determinant.is_finite() && determinant != 0.0 && size.is_finite()).then_some(())
}

/// Gauss and Jordan's elimination with the largest pivot.
fn eliminate(matrix: &[f64], size: usize) -> Option<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = matrix
        .chunks(size.max(1))
        .enumerate()
        .map(|(index, row)| {
            let unit = (0..size).map(|column| if column == index { 1.0 } else { 0.0 });
            row.iter().copied().chain(unit).collect()
        })
        .collect();
    for column in 0..size {
        let value = |row: &Vec<f64>| row.get(column).copied().unwrap_or(0.0);
        let pivot = (column..size).max_by(|a, b| {
            let size = |index: &usize| rows.get(*index).map_or(0.0, |row| value(row).abs());
            size(a).total_cmp(&size(b))
        })?;
        rows.swap(column, pivot);
        let pivot = rows.get(column).map(value)?;
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let scaled: Vec<f64> = rows.get(column)?.iter().map(|value| value / pivot).collect();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = value(row);
            if index == column {
                row.copy_from_slice(&scaled);
            } else {
                row.iter_mut().zip(&scaled).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
    }
    Some(rows.into_iter().flat_map(|row| row.into_iter().skip(size)).collect())
}

fn transpose(matrix: &[f64], size: usize) -> Vec<f64> {
    (0..size * size)
        .map(|index| {
            let (row, column) = (index / size.max(1), index % size.max(1));
            matrix.get(column * size + row).copied().unwrap_or(0.0)
        })
        .collect()
}

fn product(left: &[f64], right: &[f64], size: usize) -> Vec<f64> {
    let columns = transpose(right, size);
    let rows = left.chunks(size.max(1));
    rows.flat_map(|row| columns.chunks(size.max(1)).map(move |column| dot(row, column))).collect()
}

fn multiply(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    matrix.chunks(vector.len().max(1)).map(|row| dot(row, vector)).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn is_identity(matrix: &[f64], size: usize) -> bool {
    matrix.iter().enumerate().all(|(index, value)| {
        let expected = if index / size.max(1) == index % size.max(1) { 1.0 } else { 0.0 };
        (value - expected).abs() < ORTHOGONAL
    })
}
