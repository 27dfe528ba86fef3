//! Analytic functions of one or two inputs.

use asdf_core::Result;
use asdf_units::{Rational, Unit};

use super::quantity::Quantity;
use super::{Entry, Leaf, Reader};
use crate::bounds::Bounds;
use crate::function::Each;
use crate::leaf::profile::{Formula, Profile};
use crate::leaf::surface::{self, Surface};
use crate::model::{Kind, OutputUnit, Units};

/// What the unit of a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// That of the inputs.
    Input,
    /// One over that of the input.
    PerInput,
    /// That of the output.
    Output,
    /// One over that of the output.
    PerOutput,
    /// None.
    Plain,
    /// Radians, which a number without a unit is in.
    Radians,
    /// Kelvins, which a number without a unit is in.
    Kelvins,
    /// That of the output by that of the input with this position.
    Slope(usize),
}

use Role::{Input, Kelvins, Output, PerInput, PerOutput, Plain, Radians, Slope};

/// Name, value if it is missing, and unit.
type Parameter = (&'static str, f64, Role);

const WAVE: &[Parameter] = &[("amplitude", 1.0, Output), ("frequency", 1.0, PerInput), ("phase", 0.0, Plain)];
const ARC: &[Parameter] = &[("amplitude", 1.0, Input), ("frequency", 1.0, PerOutput), ("phase", 0.0, Plain)];
const TAU: &[Parameter] = &[("amplitude", 1.0, Output), ("tau", 1.0, Input)];
const FWHM: &[Parameter] = &[("amplitude", 1.0, Output), ("x_0", 0.0, Input), ("fwhm", 1.0, Input)];

const PROFILES: &[(&str, Formula, &[Parameter])] = &[
    ("sine1d", Formula::Sine, WAVE),
    ("cosine1d", Formula::Cosine, WAVE),
    ("tangent1d", Formula::Tangent, WAVE),
    ("arcsine1d", Formula::ArcSine, ARC),
    ("arccosine1d", Formula::ArcCosine, ARC),
    ("arctangent1d", Formula::ArcTangent, ARC),
    ("exponential1d", Formula::Exponential, TAU),
    ("logarithmic1d", Formula::Logarithmic, TAU),
    ("redshift_scale_factor", Formula::Redshift, &[("z", 0.0, Plain)]),
    (
        "gaussian1d",
        Formula::Gaussian,
        &[("amplitude", 1.0, Output), ("mean", 0.0, Input), ("stddev", 1.0, Input)],
    ),
    ("lorentz1d", Formula::Lorentz, FWHM),
    (
        "moffat1d",
        Formula::Moffat,
        &[("amplitude", 1.0, Output), ("x_0", 0.0, Input), ("gamma", 1.0, Input), ("alpha", 1.0, Plain)],
    ),
    (
        "voigt1d",
        Formula::Voigt,
        &[
            ("x_0", 0.0, Input),
            ("amplitude_L", 1.0, Output),
            ("fwhm_L", std::f64::consts::FRAC_2_PI, Input),
            ("fwhm_G", std::f64::consts::LN_2, Input),
        ],
    ),
    ("box1d", Formula::Box, &[("amplitude", 1.0, Output), ("x_0", 0.0, Input), ("width", 1.0, Input)]),
    (
        "trapezoid1d",
        Formula::Trapezoid,
        &[("amplitude", 1.0, Output), ("x_0", 0.0, Input), ("width", 1.0, Input), ("slope", 1.0, Slope(0))],
    ),
    (
        "ricker_wavelet1d",
        Formula::RickerWavelet,
        &[("amplitude", 1.0, Output), ("x_0", 0.0, Input), ("sigma", 1.0, Input)],
    ),
    ("sersic1d", Formula::Sersic, &[("amplitude", 1.0, Output), ("r_eff", 1.0, Input), ("n", 4.0, Plain)]),
    (
        "king_projected_analytic1d",
        Formula::King,
        &[("amplitude", 1.0, Output), ("r_core", 1.0, Input), ("r_tide", 2.0, Input)],
    ),
    ("drude1d", Formula::Drude, &[("amplitude", 1.0, Output), ("x_0", 1.0, Input), ("fwhm", 1.0, Input)]),
    ("plummer1d", Formula::Plummer, &[("mass", 1.0, Output), ("r_plum", 1.0, Input)]),
    ("blackbody", Formula::BlackBody, &[("temperature", 5000.0, Kelvins), ("scale", 1.0, Plain)]),
    (
        "power_law1d",
        Formula::PowerLaw,
        &[("amplitude", 1.0, Output), ("x_0", 1.0, Input), ("alpha", 1.0, Plain)],
    ),
    (
        "broken_power_law1d",
        Formula::BrokenPowerLaw,
        &[
            ("amplitude", 1.0, Output),
            ("x_break", 1.0, Input),
            ("alpha_1", 1.0, Plain),
            ("alpha_2", 1.0, Plain),
        ],
    ),
    (
        "smoothly_broken_power_law1d",
        Formula::SmoothlyBrokenPowerLaw,
        &[
            ("amplitude", 1.0, Output),
            ("x_break", 1.0, Input),
            ("alpha_1", -2.0, Plain),
            ("alpha_2", 2.0, Plain),
            ("delta", 1.0, Plain),
        ],
    ),
    (
        "exponential_cutoff_power_law1d",
        Formula::ExponentialCutoffPowerLaw,
        &[("amplitude", 1.0, Output), ("x_0", 1.0, Input), ("alpha", 1.0, Plain), ("x_cutoff", 1.0, Input)],
    ),
    (
        "log_parabola1d",
        Formula::LogParabola,
        &[("amplitude", 1.0, Output), ("x_0", 1.0, Input), ("alpha", 1.0, Plain), ("beta", 0.0, Plain)],
    ),
    (
        "schechter1d",
        Formula::Schechter,
        &[("phi_star", 1.0, Output), ("m_star", -20.0, Input), ("alpha", -1.0, Plain)],
    ),
];

const AMPLITUDE: Parameter = ("amplitude", 1.0, Output);
const X_0: Parameter = ("x_0", 0.0, Input);
const Y_0: Parameter = ("y_0", 0.0, Input);
const THETA: Parameter = ("theta", 0.0, Radians);

const SURFACES: &[(&str, surface::Formula, &[Parameter])] = &[
    (
        "planar2d",
        surface::Formula::Plane,
        &[("slope_x", 1.0, Slope(0)), ("slope_y", 1.0, Slope(1)), ("intercept", 0.0, Output)],
    ),
    (
        "gaussian2d",
        surface::Formula::Gaussian,
        &[
            AMPLITUDE,
            ("x_mean", 0.0, Input),
            ("y_mean", 0.0, Input),
            ("x_stddev", 1.0, Input),
            ("y_stddev", 1.0, Input),
            THETA,
        ],
    ),
    (
        "moffat2d",
        surface::Formula::Moffat,
        &[AMPLITUDE, X_0, Y_0, ("gamma", 1.0, Input), ("alpha", 1.0, Plain)],
    ),
    ("airy_disk2d", surface::Formula::AiryDisk, &[AMPLITUDE, X_0, Y_0, ("radius", 1.0, Input)]),
    (
        "box2d",
        surface::Formula::Box,
        &[AMPLITUDE, X_0, Y_0, ("x_width", 1.0, Input), ("y_width", 1.0, Input)],
    ),
    ("disk2d", surface::Formula::Disk, &[AMPLITUDE, X_0, Y_0, ("R_0", 1.0, Input)]),
    (
        "ellipse2d",
        surface::Formula::Ellipse,
        &[AMPLITUDE, X_0, Y_0, ("a", 1.0, Input), ("b", 1.0, Input), THETA],
    ),
    ("ricker_wavelet2d", surface::Formula::RickerWavelet, &[AMPLITUDE, X_0, Y_0, ("sigma", 1.0, Input)]),
    ("ring2d", surface::Formula::Ring, &[AMPLITUDE, X_0, Y_0, ("r_in", 1.0, Input), ("width", 1.0, Input)]),
    (
        "sersic2d",
        surface::Formula::Sersic,
        &[AMPLITUDE, ("r_eff", 1.0, Input), ("n", 4.0, Plain), X_0, Y_0, ("ellip", 0.0, Plain), THETA],
    ),
    (
        "trapezoid_disk2d",
        surface::Formula::TrapezoidDisk,
        &[AMPLITUDE, X_0, Y_0, ("R_0", 1.0, Input), ("slope", 1.0, Slope(0))],
    ),
];

/// Reads one of the analytic functions by the name of its tag.
pub(super) fn profile(_: &mut Reader, entry: &Entry<'_>) -> Result<Leaf> {
    let name = entry.name();
    if let Some(&(_, formula, parameters)) = PROFILES.iter().find(|known| known.0 == name) {
        let (values, mut units) = read(entry, 1, parameters)?;
        match formula {
            Formula::Redshift => units.outputs = vec![OutputUnit::SameAs(0)],
            Formula::Plummer => density(entry, &mut units)?,
            Formula::BlackBody => brightness(&mut units),
            _ => {}
        }
        let profile = Profile::new(formula, &values);
        let extent = profile.extent();
        let mut leaf = Leaf::function(Each::shared(profile)).with_units(units);
        leaf.bounds = extent.map(|interval| Bounds::Box(vec![Some(interval)]));
        return Ok(leaf);
    }
    let Some(&(_, formula, parameters)) = SURFACES.iter().find(|known| known.0 == name) else {
        let tag = entry.tag().to_owned();
        return Ok(Leaf::new(Kind::Unknown { tag, inputs: 1, outputs: 1 }));
    };
    let (values, units) = read(entry, 2, parameters)?;
    let surface = Surface::new(formula, &values);
    let extent = surface.extent();
    let mut leaf = Leaf::function(Each::shared(surface)).with_units(units);
    leaf.bounds = extent.map(|intervals| Bounds::Box(intervals.map(Some).to_vec()));
    Ok(leaf)
}

/// Reads the parameters in the units that fit each other.
fn read(entry: &Entry<'_>, inputs: usize, parameters: &[Parameter]) -> Result<(Vec<f64>, Units)> {
    let mut quantities = Vec::with_capacity(parameters.len());
    for &(name, value, _) in parameters {
        quantities.push(entry.optional_quantity(name)?.unwrap_or(Quantity { value, unit: None }));
    }
    // The first parameter with a unit says what the unit of its role is.
    let unit_of = |role: Role| {
        let pairs = parameters.iter().zip(&quantities);
        pairs.filter(|(parameter, _)| parameter.2 == role).find_map(|(_, quantity)| quantity.unit.clone())
    };
    let fault = |error: asdf_units::Error| entry.error(error.to_string());
    let one = Unit::one();
    let reciprocal = |unit: Option<Unit>| unit.map(|unit| one.divide(&unit)).transpose().map_err(fault);
    let output = unit_of(Output).or(reciprocal(unit_of(PerOutput))?);
    let input = unit_of(Input).or(reciprocal(unit_of(PerInput))?);
    // The unit of each input, which a slope can say too.
    let mut by_input = Vec::with_capacity(inputs);
    for position in 0..inputs {
        let from_slope = match (&output, unit_of(Slope(position))) {
            (Some(output), Some(slope)) if input.is_none() => Some(output.divide(&slope).map_err(fault)?),
            _ => None,
        };
        by_input.push(input.clone().or(from_slope));
    }
    let mut values = Vec::with_capacity(parameters.len());
    for (&(name, _, role), quantity) in parameters.iter().zip(&quantities) {
        let first = by_input.first().cloned().flatten();
        let target = match role {
            Input => first,
            PerInput => reciprocal(first)?,
            Output => output.clone(),
            PerOutput => reciprocal(output.clone())?,
            Plain => Some(one.clone()),
            Radians => Some(Unit::parse_lenient("rad")),
            Kelvins => Some(Unit::parse_lenient("K")),
            Slope(position) => match (&output, by_input.get(position).cloned().flatten()) {
                (Some(output), Some(input)) => Some(output.divide(&input).map_err(fault)?),
                _ => None,
            },
        };
        let value = match target {
            Some(unit) => quantity.in_unit(&unit).map_err(|error| entry.place_at(name, error))?,
            None => quantity.value,
        };
        values.push(value);
    }
    let quantity = quantities.iter().any(|quantity| quantity.unit.is_some());
    let units = Units {
        inputs: if by_input.iter().any(Option::is_some) { by_input } else { Vec::new() },
        outputs: vec![output.map_or(OutputUnit::None, OutputUnit::Of)],
        quantity,
        ..Units::default()
    };
    Ok((values, units))
}

/// The unit of a density, from those of the mass and the radius.
fn density(entry: &Entry<'_>, units: &mut Units) -> Result<()> {
    if let (Some(Some(radius)), Some(OutputUnit::Of(mass))) = (units.inputs.first(), units.outputs.first()) {
        let unit =
            Rational::new(3, 1).and_then(|three| radius.power(three)).and_then(|cube| mass.divide(&cube));
        let unit = unit.map_err(|error| entry.error(error.to_string()))?;
        units.outputs = vec![OutputUnit::Of(unit)];
    }
    Ok(())
}

/// The units of a black body whose temperature has a unit.
fn brightness(units: &mut Units) {
    if units.quantity {
        units.inputs = vec![Some(Unit::parse_lenient("Hz"))];
        units.outputs = vec![OutputUnit::Of(Unit::parse_lenient("erg cm-2 Hz-1 s-1 sr-1"))];
    }
}
