//! The analytic functions of two inputs.

use std::f64::consts::PI;
use std::sync::Arc;

use super::special::{bessel, gamma_median};
use crate::function::{Function, Pointwise};
use crate::number::Number;

/// The formula of a surface. Comments name its parameters in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formula {
    /// slope_x, slope_y, intercept
    Plane,
    /// amplitude, x_mean, y_mean, x_stddev, y_stddev, theta in radians
    Gaussian,
    /// amplitude, x_0, y_0, gamma, alpha
    Moffat,
    /// amplitude, x_0, y_0, radius
    AiryDisk,
    /// amplitude, x_0, y_0, x_width, y_width
    Box,
    /// amplitude, x_0, y_0, R_0
    Disk,
    /// amplitude, x_0, y_0, a, b, theta in radians
    Ellipse,
    /// amplitude, x_0, y_0, sigma
    RickerWavelet,
    /// amplitude, x_0, y_0, r_in, width
    Ring,
    /// amplitude, r_eff, n, x_0, y_0, ellip, theta in radians
    Sersic,
    /// amplitude, x_0, y_0, R_0, slope
    TrapezoidDisk,
}

/// The most parameters of a surface.
pub(crate) const MOST_PARAMETERS: usize = 7;

/// The first zero of the Bessel function of order 1, divided by pi: the radius of the first dark ring.
const DARK_RING: f64 = 1.219_669_891_266_504_5;

/// A formula with its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Surface {
    formula: Formula,
    parameters: [f64; MOST_PARAMETERS],
    /// The factor of the exponent of a Sersic profile.
    sersic: f64,
}

impl Surface {
    /// Makes a surface. Parameters that the formula does not have are ignored.
    pub(crate) fn new(formula: Formula, parameters: &[f64]) -> Self {
        let mut all = [0.0; MOST_PARAMETERS];
        all.iter_mut().zip(parameters).for_each(|(slot, parameter)| *slot = *parameter);
        let sersic = match (formula, all) {
            (Formula::Sersic, [_, _, n, ..]) => gamma_median(2.0 * n),
            _ => f64::NAN,
        };
        Self { formula, parameters: all, sersic }
    }
}

impl Pointwise<2, 1> for Surface {
    fn at<N: Number>(&self, [x, y]: [N; 2]) -> [N; 1] {
        let [a, b, c, d, e, f, g] = self.parameters;
        // Most formulas have the centre as the second and third parameter.
        let (dx, dy) = (x - b, y - c);
        let step = |inside: bool| N::constant(if inside { a } else { 0.0 });
        let square = dx * dx + dy * dy;
        let result = match self.formula {
            Formula::Plane => x * a + y * b + c,
            Formula::Gaussian => {
                let (sine, cosine) = f.sin_cos();
                let (x_square, y_square) = (d * d, e * e);
                let (sine_square, cosine_square, double) = (sine * sine, cosine * cosine, (2.0 * f).sin());
                let xx = 0.5 * (cosine_square / x_square + sine_square / y_square);
                let xy = 0.5 * (double / x_square - double / y_square);
                let yy = 0.5 * (sine_square / x_square + cosine_square / y_square);
                (-(dx * dx * xx + dx * dy * xy + dy * dy * yy)).exp() * a
            }
            Formula::Moffat => (square / (d * d) + 1.0).powf(-e) * a,
            Formula::AiryDisk => airy(square, d) * a,
            Formula::Box => {
                let (x, y) = (x.value(), y.value());
                let in_x = x >= b - d / 2.0 && x <= b + d / 2.0;
                step(in_x && y >= c - e / 2.0 && y <= c + e / 2.0)
            }
            Formula::Disk => step(square.value() <= d * d),
            Formula::Ellipse => {
                let (sine, cosine) = f.sin_cos();
                let (dx, dy) = (dx.value(), dy.value());
                let along = (dx * cosine + dy * sine) / d;
                let across = (dy * cosine - dx * sine) / e;
                step(along * along + across * across <= 1.0)
            }
            Formula::RickerWavelet => {
                let ratio = square / (2.0 * d * d);
                (-ratio + 1.0) * (-ratio).exp() * a
            }
            Formula::Ring => step(square.value() >= d * d && square.value() <= (d + e) * (d + e)),
            Formula::Sersic => {
                let (dx, dy) = (x - d, y - e);
                let (sine, cosine) = g.sin_cos();
                let along = (dx * cosine + dy * sine) / b;
                let across = (dy * cosine - dx * sine) / ((1.0 - f) * b);
                let distance = (along * along + across * across).sqrt();
                ((distance.powf(c.recip()) - 1.0) * -self.sersic).exp() * a
            }
            Formula::TrapezoidDisk => {
                let distance = square.sqrt();
                if distance.value() <= d {
                    N::constant(a)
                } else if distance.value() <= d + a / e {
                    (-distance + d) * e + a
                } else {
                    N::constant(0.0)
                }
            }
        };
        [result]
    }

    fn inverse(&self) -> Option<Arc<dyn Function>> {
        None
    }

    fn describe(&self) -> String {
        format!("{:?} in two variables", self.formula).to_lowercase()
    }
}

/// The light of a point source behind a circular aperture, relative to the centre.
fn airy<N: Number>(square: N, radius: f64) -> N {
    let scale = PI * DARK_RING / radius;
    let angle = square.value().sqrt() * scale;
    if angle == 0.0 {
        // Close to the centre the light is 1 - angle^2 / 4.
        return square.chain(1.0, -0.25 * scale * scale);
    }
    if angle < 0.0 {
        return square.chain(1.0, 0.0);
    }
    let field = 2.0 * bessel(1, angle) / angle;
    // The derivative of J1(t) / t is -J2(t) / t, and that of the angle is scale^2 / (2 angle).
    let slope = 2.0 * field * (-2.0 * bessel(2, angle) / angle) * scale * scale / (2.0 * angle);
    square.chain(field * field, slope)
}
