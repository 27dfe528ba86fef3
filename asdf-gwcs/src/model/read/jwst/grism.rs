//! The dispersion of grisms.
//!
//! The forward direction of JWST's names goes from the dispersed image to the direct image and the wavelength, the
//! backward direction goes from the direct image and the wavelength to the dispersed image.
//!
//! The pipeline evaluates one source at a time; here each point is a source of its own.

use std::sync::Arc;

use asdf_core::Result;
use asdf_core::tree::Kind as NodeKind;

use super::parts::{chosen, items, read_part};
use super::slits::{by_order, orders};
use crate::angle;
use crate::function::Each;
use crate::jwst::condition::{Comparison, Condition};
use crate::jwst::trace::{Search, Trace};
use crate::model::read::{Entry, Leaf, Reader};
use crate::model::{Arithmetic, Kind, Model};

/// The most coefficients of a trace.
const MOST_COEFFICIENTS: usize = 24;

/// What differs between the instruments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instrument {
    /// Wavelengths are a function of the place along the trace, which is searched for both directions.
    NirCam,
    /// The place along the trace is a function of the wavelength in the backward direction.
    Wide,
}

/// The direction of a transform, and the axis that light is dispersed along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    ForwardRow,
    ForwardColumn,
    Backward,
}

/// A polynomial along a trace.
#[derive(Debug, Clone)]
enum Polynomial {
    /// The same for all sources: a transform with one input.
    Fixed(Arc<Model>),
    /// Coefficients that depend on the place of the source: transforms with two inputs.
    Spatial(Vec<Arc<Model>>),
}

/// The polynomials of one spectral order.
struct Order {
    wavelength: Polynomial,
    x: Polynomial,
    y: Polynomial,
}

/// Reads `nircam_grism_dispersion`.
pub(super) fn nircam(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = [
        "NIRCAMForwardRowGrismDispersion",
        "NIRCAMForwardColumnGrismDispersion",
        "NIRCAMBackwardGrismDispersion",
    ];
    grism(reader, entry, Instrument::NirCam, &names, 0.0)
}

/// Reads `niriss_grism_dispersion`.
pub(super) fn niriss(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = [
        "NIRISSForwardRowGrismDispersion",
        "NIRISSForwardColumnGrismDispersion",
        "NIRISSBackwardGrismDispersion",
    ];
    let theta = entry.number("theta")?;
    grism(reader, entry, Instrument::Wide, &names, theta)
}

/// Reads `miri_wfss_dispersion`. MIRI disperses along columns only.
pub(super) fn miri(reader: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let names = ["", "MIRIWFSSForwardDispersion", "MIRIWFSSBackwardDispersion"];
    grism(reader, entry, Instrument::Wide, &names, 0.0)
}

fn grism(
    reader: &mut Reader,
    entry: &Entry<'_>,
    instrument: Instrument,
    names: &[&str; 3],
    theta: f64,
) -> Result<Leaf> {
    let key = if entry.get("model_type").is_some() { "model_type" } else { "class_name" };
    let direction = match entry.choice(key, names)? {
        0 => Direction::ForwardRow,
        1 => Direction::ForwardColumn,
        _ => Direction::Backward,
    };
    let orders = orders(entry, "orders")?;
    let mut lists = [Vec::new(), Vec::new(), Vec::new()];
    for (list, key) in lists.iter_mut().zip(["lmodels", "xmodels", "ymodels"]) {
        *list = polynomials(reader, entry, key)?;
        if list.len() != orders.len() {
            let message =
                format!("found {} items for {} orders, expected one each", list.len(), orders.len());
            return Err(entry.error_at(key, message));
        }
    }
    let [wavelengths, xs, ys] = lists;
    // Sums and lists of coefficients are inside each other, one level for each coefficient.
    reader.deepen(2 * MOST_COEFFICIENTS);
    let turn = angle::to_radians(theta);
    let (counts, key_in, key_out, inputs, outputs): (_, _, _, &[&str], &[&str]) = match direction {
        Direction::Backward => {
            ([3, 4], 3, 4, &["x", "y", "wavelength", "order"], &["x", "y", "x0", "y0", "order"])
        }
        _ => ([4, 3], 4, 3, &["x", "y", "x0", "y0", "order"], &["x", "y", "wavelength", "order"]),
    };
    let mut models = Vec::with_capacity(orders.len());
    for (at, ((wavelength, x), y)) in wavelengths.into_iter().zip(xs).zip(ys).enumerate() {
        let order = Order { wavelength, x, y };
        let maker = Maker { reader, instrument, turn };
        let model = match direction {
            Direction::Backward => maker.backward(&order),
            _ => maker.forward(&order, direction == Direction::ForwardRow),
        };
        models.push(model.map_err(|(key, message)| entry.error_at(key, format!("order {at}: {message}")))?);
    }
    let choices = by_order(entry, "orders", orders, models, counts)?;
    Ok(Leaf::new(chosen(reader, choices, key_in, Some(key_out))).named(inputs, outputs))
}

/// Reads one polynomial for each order: a transform, or a list of transforms.
fn polynomials(reader: &mut Reader, entry: &Entry<'_>, key: &str) -> Result<Vec<Polynomial>> {
    let nodes = items(entry, key)?.into_iter().enumerate();
    nodes
        .map(|(at, node)| {
            let at = at.to_string();
            if node.kind() != NodeKind::Sequence {
                return Ok(Polynomial::Fixed(read_part(reader, &[key, &at], node, [1, 1])?));
            }
            if node.is_empty() || node.len() > MOST_COEFFICIENTS {
                let message = format!("found {} transforms, expected 1 to {MOST_COEFFICIENTS}", node.len());
                return Err(node.error(message).under(&at).under(key));
            }
            let single = node.item(0).filter(|_| node.len() == 1);
            if let Some(item) = single {
                let model = reader.read_child(&[key, &at, "0"], item)?;
                if model.kind.inputs() == 1 {
                    return Ok(Polynomial::Fixed(read_part(reader, &[key, &at, "0"], item, [1, 1])?));
                }
            }
            let coefficients = node.items().enumerate();
            let coefficients = coefficients
                .map(|(index, item)| read_part(reader, &[key, &at, &index.to_string()], item, [2, 1]));
            Ok(Polynomial::Spatial(coefficients.collect::<Result<_>>()?))
        })
        .collect()
}

/// The property that does not fit, and why.
type Fault = (&'static str, String);

/// Makes transforms from those of an order.
struct Maker<'a> {
    reader: &'a Reader,
    instrument: Instrument,
    /// The angle of the filter wheel in radians.
    turn: f64,
}

impl Maker<'_> {
    fn part(&self, kind: Kind) -> Arc<Model> {
        self.reader.part(Leaf::new(kind))
    }

    fn then(&self, first: Arc<Model>, second: Arc<Model>) -> Arc<Model> {
        self.part(Kind::Compose(first, second))
    }

    fn beside(&self, left: Arc<Model>, right: Arc<Model>) -> Arc<Model> {
        self.part(Kind::Concatenate(left, right))
    }

    fn pick(&self, mapping: &[usize], inputs: usize) -> Arc<Model> {
        self.part(Kind::Remap { mapping: mapping.to_vec(), inputs })
    }

    fn times(&self, model: Arc<Model>, factor: f64) -> Arc<Model> {
        self.then(model, self.part(Kind::Linear { factor, offset: 0.0 }))
    }

    fn sum(&self, left: Arc<Model>, right: Arc<Model>) -> Arc<Model> {
        self.part(Kind::Arithmetic(Arithmetic::Add, left, right))
    }

    /// From the direct image (x, y, wavelength) to the dispersed image and the direct image again (x, y, x0, y0).
    fn backward(&self, order: &Order) -> Result<Arc<Model>, Fault> {
        let place = self.then(self.pick(&[0, 1, 2], 3), self.place_of_wavelength(order)?);
        // To (x, y, t).
        let before =
            self.then(self.pick(&[0, 1, 0, 1, 2], 3), self.beside(self.part(Kind::Identity(2)), place));
        let shifts = [self.at_place(&order.x), self.at_place(&order.y)];
        let [dx, dy] = if self.turn == 0.0 {
            shifts
        } else {
            let (sine, cosine) = angle::sin_cos(self.turn);
            let [dx, dy] = shifts;
            let x = self.sum(self.times(Arc::clone(&dx), cosine), self.times(Arc::clone(&dy), -sine));
            [x, self.sum(self.times(dx, sine), self.times(dy, cosine))]
        };
        let x = self.sum(self.pick(&[0], 3), dx);
        let y = self.sum(self.pick(&[1], 3), dy);
        let both = self.beside(x, self.beside(y, self.part(Kind::Identity(2))));
        Ok(self.then(before, self.then(self.pick(&[0, 1, 2, 0, 1, 2, 0, 1], 3), both)))
    }

    /// From (x, y, wavelength) to the place along the trace.
    fn place_of_wavelength(&self, order: &Order) -> Result<Arc<Model>, Fault> {
        // A wavelength below 0 is an error in Python.
        let negative = Condition { comparison: Comparison::Less, limit: 0.0, value: f64::NAN };
        let wavelength = self.then(self.pick(&[2], 3), self.part(Kind::Function(Each::shared(negative))));
        match (&order.wavelength, self.instrument) {
            (Polynomial::Fixed(model), Instrument::Wide) => Ok(self.then(wavelength, Arc::clone(model))),
            (Polynomial::Spatial(_), Instrument::Wide) => {
                Err(("lmodels", "found coefficients, expected a transform with one input".to_owned()))
            }
            (Polynomial::Fixed(model), Instrument::NirCam) => {
                if matches!(model.kind, Kind::Unknown { .. }) {
                    return Ok(self.then(wavelength, Arc::clone(model)));
                }
                let expected = || ("lmodels", "expected a polynomial".to_owned());
                let coefficients = expanded(model).ok_or_else(expected)?;
                Ok(self.search(Search::Ascending, wavelength, &coefficients_of(self, &coefficients), [0, 1]))
            }
            (Polynomial::Spatial(coefficients), Instrument::NirCam) => {
                Ok(self.search(Search::Nearest, wavelength, coefficients, [0, 1]))
            }
        }
    }

    /// From the dispersed and direct images (x, y, x0, y0) to the direct image and wavelength (x0, y0, wavelength).
    fn forward(&self, order: &Order, is_row: bool) -> Result<Arc<Model>, Fault> {
        let (key, along, across) =
            if is_row { ("xmodels", &order.x, &order.y) } else { ("ymodels", &order.y, &order.x) };
        let mapping: &[usize] = if is_row { &[0, 2] } else { &[1, 3] };
        let minus = self.part(Kind::Arithmetic(Arithmetic::Subtract, self.pick(&[0], 2), self.pick(&[1], 2)));
        let distance = self.then(self.pick(mapping, 4), minus);
        let place = match (along, self.instrument) {
            (Polynomial::Fixed(model), Instrument::NirCam) => match &model.kind {
                Kind::Polynomial1 { .. } => {
                    let line = raw_coefficients(model);
                    let (offset, slope) =
                        line.ok_or((key, "expected a polynomial of degree 1".to_owned()))?;
                    let shift = self.part(Kind::Linear { factor: 1.0, offset: -offset });
                    self.times(self.then(distance, shift), 1.0 / slope)
                }
                Kind::Unknown { .. } => self.then(distance, Arc::clone(model)),
                _ => return Err((key, "expected a polynomial".to_owned())),
            },
            (Polynomial::Fixed(_), Instrument::Wide) => {
                return Err((key, "found one transform, expected a list of coefficients".to_owned()));
            }
            (Polynomial::Spatial(coefficients), Instrument::NirCam) => {
                self.search(Search::Clamp, distance, coefficients, [2, 3])
            }
            (Polynomial::Spatial(coefficients), Instrument::Wide) => {
                let turned = match across {
                    Polynomial::Spatial(across) if self.turn != 0.0 => {
                        self.turned(coefficients, across, is_row)
                    }
                    _ => coefficients.clone(),
                };
                self.search(Search::Extrapolate, distance, &turned, [2, 3])
            }
        };
        // To (x0, y0, t).
        let before =
            self.then(self.pick(&[2, 3, 0, 1, 2, 3], 4), self.beside(self.part(Kind::Identity(2)), place));
        let wavelength = self.at_place(&order.wavelength);
        let after = self.beside(self.part(Kind::Identity(2)), wavelength);
        Ok(self.then(before, self.then(self.pick(&[0, 1, 0, 1, 2], 3), after)))
    }

    /// The coefficients along the dispersion, after a rotation by the angle of the filter wheel.
    fn turned(&self, along: &[Arc<Model>], across: &[Arc<Model>], is_row: bool) -> Vec<Arc<Model>> {
        let (sine, cosine) = angle::sin_cos(self.turn);
        let other = if is_row { -sine } else { sine };
        (0..along.len().max(across.len()))
            .map(|index| {
                let along = along.get(index).map(|model| self.times(Arc::clone(model), cosine));
                let across = across.get(index).map(|model| self.times(Arc::clone(model), other));
                match (along, across) {
                    (Some(along), Some(across)) => self.sum(along, across),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => self.part(Kind::Constant(vec![0.0], 2)),
                }
            })
            .collect()
    }

    /// Searches the place where a polynomial has a value. `value` and the result have the same inputs; two of them are
    /// those of the coefficients.
    fn search(
        &self,
        search: Search,
        value: Arc<Model>,
        coefficients: &[Arc<Model>],
        source: [usize; 2],
    ) -> Arc<Model> {
        let inputs = value.kind.inputs();
        let function = self.part(Kind::Function(Arc::new(Trace::new(search, coefficients.len()))));
        let mapping: Vec<usize> =
            (0..inputs).chain(std::iter::repeat_n(source, coefficients.len()).flatten()).collect();
        let all = coefficients.iter().fold(value, |all, next| self.beside(all, Arc::clone(next)));
        self.then(self.pick(&mapping, inputs), self.then(all, function))
    }

    /// From (x0, y0, t) to the value of a polynomial.
    fn at_place(&self, polynomial: &Polynomial) -> Arc<Model> {
        let coefficients = match polynomial {
            Polynomial::Fixed(model) => return self.then(self.pick(&[2], 3), Arc::clone(model)),
            Polynomial::Spatial(coefficients) => coefficients,
        };
        let terms = coefficients.iter().enumerate().map(|(power, coefficient)| {
            let coefficient = self.then(self.pick(&[0, 1], 3), Arc::clone(coefficient));
            if power == 0 {
                return coefficient;
            }
            let mut powers = vec![0.0; power];
            powers.push(1.0);
            let power = self.part(Kind::Polynomial1 { coefficients: powers, map: [1.0, 0.0] });
            let power = self.then(self.pick(&[2], 3), power);
            self.part(Kind::Arithmetic(Arithmetic::Multiply, coefficient, power))
        });
        terms
            .reduce(|sum, term| self.sum(sum, term))
            .unwrap_or_else(|| self.part(Kind::Constant(vec![0.0], 3)))
    }
}

/// Constant coefficients as transforms of two inputs.
fn coefficients_of(maker: &Maker<'_>, coefficients: &[f64]) -> Vec<Arc<Model>> {
    coefficients.iter().map(|value| maker.part(Kind::Constant(vec![*value], 2))).collect()
}

/// Returns the first two coefficients of a polynomial, without regard to its domain, as Python does.
fn raw_coefficients(model: &Model) -> Option<(f64, f64)> {
    match &model.kind {
        Kind::Polynomial1 { coefficients, .. } => match coefficients.as_slice() {
            [offset, slope, ..] => Some((*offset, *slope)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the coefficients of a polynomial of the input itself, also if it has a domain.
fn expanded(model: &Model) -> Option<Vec<f64>> {
    let Kind::Polynomial1 { coefficients, map: [factor, offset] } = &model.kind else { return None };
    if coefficients.len() > MOST_COEFFICIENTS {
        return None;
    }
    // Horner's rule, with polynomials for numbers.
    let mut sum: Vec<f64> = Vec::new();
    for coefficient in coefficients.iter().rev() {
        let mut next = vec![0.0; sum.len() + 1];
        for (power, value) in sum.iter().enumerate() {
            if let Some(slot) = next.get_mut(power) {
                *slot += value * offset;
            }
            if let Some(slot) = next.get_mut(power + 1) {
                *slot += value * factor;
            }
        }
        if let Some(slot) = next.first_mut() {
            *slot += coefficient;
        }
        sum = next;
    }
    Some(sum)
}
