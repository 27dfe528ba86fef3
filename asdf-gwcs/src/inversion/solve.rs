//! Small systems of linear equations.

/// The most inputs of a transform that is inverted numerically.
pub(super) const MOST: usize = 8;

/// A matrix of up to [`MOST`] rows and columns.
pub(super) type Matrix = [[f64; MOST]; MOST];

/// Inverts the first `size` rows and columns of a matrix. `None` if it is singular or not finite.
pub(super) fn invert(mut matrix: Matrix, size: usize) -> Option<Matrix> {
    let mut inverse: Matrix = [[0.0; MOST]; MOST];
    for (index, row) in inverse.iter_mut().enumerate() {
        *row.get_mut(index)? = 1.0;
    }
    for column in 0..size {
        let size_of = |row: &[f64; MOST]| row.get(column).map_or(0.0, |value| value.abs());
        let pivot = (column..size).max_by(|a, b| {
            matrix.get(*a).map_or(0.0, size_of).total_cmp(&matrix.get(*b).map_or(0.0, size_of))
        })?;
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let pivot = *matrix.get(column)?.get(column)?;
        if pivot == 0.0 || !pivot.is_finite() {
            return None;
        }
        let scaled = matrix.get(column)?.map(|value| value / pivot);
        let scaled_inverse = inverse.get(column)?.map(|value| value / pivot);
        for (index, (row, inverse)) in matrix.iter_mut().zip(&mut inverse).enumerate().take(size) {
            if index == column {
                (*row, *inverse) = (scaled, scaled_inverse);
                continue;
            }
            let factor = *row.get(column)?;
            row.iter_mut().zip(&scaled).for_each(|(value, scaled)| *value -= factor * scaled);
            inverse.iter_mut().zip(&scaled_inverse).for_each(|(value, scaled)| *value -= factor * scaled);
        }
    }
    Some(inverse)
}

/// Multiplies the first `size` rows and columns of a matrix with a vector.
pub(super) fn multiply(matrix: &Matrix, vector: &[f64; MOST], size: usize) -> [f64; MOST] {
    let mut result = [0.0; MOST];
    for (result, row) in result.iter_mut().zip(matrix).take(size) {
        *result = row.iter().zip(vector).take(size).map(|(left, right)| left * right).sum();
    }
    result
}
