//! Derivatives by central differences.

/// The step for numbers around 1. Errors of rounding and of the cubic term are both about 1e-11 of the result.
const STEP: f64 = 1e-5;

/// Fills the derivatives of each output by each input.
pub(super) fn fill(
    values: impl Fn(&[&[f64]], &mut [&mut [f64]]),
    outputs: usize,
    inputs: &[&[f64]],
    derivatives: &mut [&mut [f64]],
) {
    let length = inputs.first().map_or(0, |input| input.len());
    for (index, moved) in inputs.iter().enumerate() {
        let shifted = |sign: f64| -> Vec<f64> {
            moved.iter().map(|value| value + sign * STEP * value.abs().max(1.0)).collect()
        };
        let ends = [shifted(-1.0), shifted(1.0)];
        let [low, high] = [0, 1].map(|end: usize| {
            let mut arguments = inputs.to_vec();
            if let (Some(slot), Some(end)) = (arguments.get_mut(index), ends.get(end)) {
                *slot = end;
            }
            let mut results = vec![f64::NAN; outputs * length];
            let mut columns: Vec<&mut [f64]> = results.chunks_mut(length.max(1)).collect();
            values(&arguments, &mut columns);
            results
        });
        let [from, to] = &ends;
        for output in 0..outputs {
            let Some(column) = derivatives.get_mut(output * inputs.len() + index) else { continue };
            let rises = low.iter().zip(&high).skip(output * length).map(|(low, high)| high - low);
            let runs = from.iter().zip(to).map(|(from, to)| to - from);
            for ((slot, rise), run) in column.iter_mut().zip(rises).zip(runs) {
                *slot = rise / run;
            }
        }
    }
}
