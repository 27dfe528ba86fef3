//! Small systems of linear equations.
#![expect(clippy::indexing_slicing, reason = "indices are below the size of the matrix")]

/// A square matrix by rows.
pub(super) type Matrix<const S: usize> = [[f64; S]; S];

/// Inverts a matrix. The result has NaN or infinity if the matrix is singular.
pub(super) fn invert<const S: usize>(mut matrix: Matrix<S>) -> Matrix<S> {
    let mut inverse: Matrix<S> = [[0.0; S]; S];
    if S == 2 {
        let (a, b, c, d) = (matrix[0][0], matrix[0][1], matrix[1][0], matrix[1][1]);
        let factor = 1.0 / (a * d - b * c);
        (inverse[0][0], inverse[0][1]) = (d * factor, -b * factor);
        (inverse[1][0], inverse[1][1]) = (-c * factor, a * factor);
        return inverse;
    }
    for (index, row) in inverse.iter_mut().enumerate() {
        row[index] = 1.0;
    }
    for column in 0..S {
        let mut pivot = column;
        for row in column..S {
            if matrix[row][column].abs() > matrix[pivot][column].abs() {
                pivot = row;
            }
        }
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let factor = 1.0 / matrix[column][column];
        matrix[column] = matrix[column].map(|value| value * factor);
        inverse[column] = inverse[column].map(|value| value * factor);
        for row in 0..S {
            let factor = matrix[row][column];
            if row != column {
                for other in 0..S {
                    matrix[row][other] -= factor * matrix[column][other];
                    inverse[row][other] -= factor * inverse[column][other];
                }
            }
        }
    }
    inverse
}

/// Multiplies a matrix with a vector.
pub(super) fn multiply<const S: usize>(matrix: &Matrix<S>, vector: &[f64; S]) -> [f64; S] {
    let mut result = [0.0; S];
    for (result, row) in result.iter_mut().zip(matrix) {
        for (left, right) in row.iter().zip(vector) {
            *result += left * right;
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_solve_systems() {
        let matrix = [[0.0, 2.0, 1.0], [1.0, -1.0, 0.5], [3.0, 0.25, -2.0]];
        let solution = [1.5, -2.0, 0.75];
        let found = multiply(&invert(matrix), &multiply(&matrix, &solution));
        for (found, expected) in found.iter().zip(solution) {
            assert!((found - expected).abs() < 1e-14, "{found} and not {expected}");
        }
        let found = multiply(&invert([[0.0, 2.0], [4.0, 1.0]]), &[2.0, 9.0]);
        assert_eq!(found, [2.0, 1.0]);
    }

    #[test]
    fn singular_matrices_have_no_finite_inverse() {
        assert!(invert([[1.0, 2.0], [2.0, 4.0]]).iter().flatten().any(|value| !value.is_finite()));
        assert!(invert([[0.0; 3]; 3]).iter().flatten().any(|value| !value.is_finite()));
    }
}
