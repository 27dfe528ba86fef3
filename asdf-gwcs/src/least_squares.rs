//! Linear least squares by Householder reflections.

/// Returns the coefficients for which the sum of `columns`, each times its coefficient, is closest to each right side.
///
/// All vectors have the same length. Returns `None` if there are fewer rows than columns, or if columns depend on each
/// other.
pub(crate) fn solve(mut columns: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let rows = columns.first()?.len();
    if rows < columns.len() {
        return None;
    }
    let largest = columns.iter().map(|column| norm(column)).fold(0.0, f64::max);
    let mut diagonal = Vec::with_capacity(columns.len());
    for number in 0..columns.len() {
        let (done, rest) = columns.split_at_mut(number + 1);
        // The column becomes the vector of the reflection below the upper triangle.
        let vector = done.last_mut()?.get_mut(number..)?;
        let length = norm(vector);
        if length.is_nan() || length <= largest * 1e-14 {
            return None;
        }
        let first = vector.first_mut()?;
        let value = if *first > 0.0 { -length } else { length };
        *first -= value;
        let square: f64 = vector.iter().map(|x| x * x).sum();
        for other in rest.iter_mut().chain(&mut right) {
            reflect(vector, square, other.get_mut(number..)?);
        }
        diagonal.push(value);
    }
    right.iter().map(|right| back(&columns, &diagonal, right)).collect()
}

/// Solves the upper triangle, which is in the columns above the reflections.
fn back(columns: &[Vec<f64>], diagonal: &[f64], right: &[f64]) -> Option<Vec<f64>> {
    let mut right = right.get(..columns.len())?.to_vec();
    for (number, column) in columns.iter().enumerate().rev() {
        let value = right.get(number)? / diagonal.get(number)?;
        for (above, element) in right.iter_mut().zip(column).take(number) {
            *above -= value * element;
        }
        *right.get_mut(number)? = value;
    }
    Some(right)
}

/// Reflects `other` at the plane normal to `vector`, whose square of the length is given.
fn reflect(vector: &[f64], square: f64, other: &mut [f64]) {
    let product: f64 = vector.iter().zip(other.iter()).map(|(x, y)| x * y).sum();
    let factor = 2.0 * product / square;
    for (element, x) in other.iter_mut().zip(vector) {
        *element -= factor * x;
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_of_a_polynomial_come_back() {
        let x: Vec<f64> = (0..20).map(|step| f64::from(step) / 10.0 - 1.0).collect();
        let columns: Vec<Vec<f64>> = (0..6).map(|power| x.iter().map(|x| x.powi(power)).collect()).collect();
        let coefficients = [1.0, -2.0, 0.0, 3.5, 1e-6, -7.0];
        let right: Vec<f64> =
            x.iter().map(|x| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)).collect();
        let found = solve(columns, vec![right.clone(), right.iter().map(|y| -y).collect()]).unwrap();
        for (number, expected) in coefficients.iter().enumerate() {
            assert!(
                (found[0][number] - expected).abs() < 1e-13 && (found[1][number] + expected).abs() < 1e-13
            );
        }
    }

    #[test]
    fn the_mean_is_the_best_constant() {
        let found = solve(vec![vec![1.0; 4]], vec![vec![1.0, 2.0, 3.0, 6.0]]).unwrap();
        assert!((found[0][0] - 3.0).abs() < 1e-15);
    }

    #[test]
    fn dependent_columns_and_few_rows_have_no_solution() {
        let column = vec![1.0, 2.0, 3.0];
        assert_eq!(solve(vec![column.clone(), column.clone()], vec![column.clone()]), None);
        assert_eq!(solve(vec![vec![1.0], vec![2.0]], vec![vec![1.0]]), None);
        assert_eq!(solve(vec![vec![0.0; 3]], vec![column.clone()]), None);
        assert_eq!(solve(vec![vec![f64::NAN; 3]], vec![column]), None);
        assert_eq!(solve(Vec::new(), Vec::new()), None);
    }
}
