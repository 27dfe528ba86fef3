//! Projections of the sphere onto a plane, as in FITS paper II (Calabretta and Greisen 2002).
//!
//! Angles and plane coordinates are in degrees. A point outside the domain becomes NaN. The domains are those of wcslib
//! with strict bounds, which astropy uses.
//!
//! Derivatives at the native pole are NaN where longitude has none.

#[cfg(test)]
mod answers;
mod cobe;
mod conic;
mod cube;
mod cylindrical;
mod healpix;
mod native;
mod perspective;
mod pseudoconic;
mod pseudocylindrical;
mod zenithal;

use std::fmt::Debug;

use multiversion::multiversion;

use crate::number::{Number, any_large_degrees, shorten_degrees};

/// One projection, with its parameters.
trait Formula: Clone + Debug + PartialEq {
    /// From native longitude and latitude to the plane.
    fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N);
    /// From the plane to native longitude and latitude.
    fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N);
}

#[multiversion(targets("x86_64+avx2"))]
fn block_to_plane<F: Formula, N: Number>(formula: &F, phi: &[N], theta: &[N], x: &mut [N], y: &mut [N]) {
    for (((&phi, &theta), x), y) in phi.iter().zip(theta).zip(x).zip(y) {
        (*x, *y) = formula.to_plane(phi, theta);
    }
}

#[multiversion(targets("x86_64+avx2"))]
fn block_to_sphere<F: Formula, N: Number>(formula: &F, x: &[N], y: &[N], phi: &mut [N], theta: &mut [N]) {
    for (((&x, &y), phi), theta) in x.iter().zip(y).zip(phi).zip(theta) {
        (*phi, *theta) = formula.to_sphere(x, y);
    }
}

/// The tag of each projection, its type, and its parameters: a name in the file, the default, and the value.
macro_rules! projections {
    ($($kind:ident in $module:ident, $name:literal, [$($parameter:literal = $default:literal),*],
       $read:pat => $new:expr, $known:ident => [$($value:expr),*];)*) => {
        #[derive(Clone, Debug, PartialEq)]
        enum Kind {
            $($kind($module::$kind),)*
        }

        impl Projection {
            /// The projection with this tag, without its version; `None` if the tag is not one of a projection.
            ///
            /// Absent parameters have the defaults of the schemas.
            ///
            /// # Errors
            ///
            /// Returns a message if the parameters do not define a projection.
            pub(crate) fn new(
                name: &str,
                parameter: &dyn Fn(&str) -> Option<f64>,
            ) -> Option<Result<Projection, String>> {
                match name {
                    $($name => Some(values([$(($parameter, $default)),*], parameter).and_then(|$read| {
                        let formula: Result<$module::$kind, String> = $new;
                        Ok(Projection { kind: Kind::$kind(formula?) })
                    })),)*
                    _ => None,
                }
            }

            /// The name of the tag, without its version.
            pub(crate) fn name(&self) -> &'static str {
                match &self.kind {
                    $(Kind::$kind(_) => $name,)*
                }
            }

            /// The parameters by their names in the schemas.
            pub(crate) fn parameters(&self) -> Vec<(&'static str, f64)> {
                match &self.kind {
                    $(Kind::$kind($known) => {
                        let _ = $known;
                        vec![$(($parameter, $value)),*]
                    })*
                }
            }

            /// From native longitude and latitude to the plane, for one point.
            pub(crate) fn to_plane<N: Number>(&self, phi: N, theta: N) -> (N, N) {
                let mut angles = [phi, theta];
                shorten_degrees(&mut angles);
                let [phi, theta] = angles;
                match &self.kind {
                    $(Kind::$kind(formula) => formula.to_plane(phi, theta),)*
                }
            }

            /// From the plane to native longitude and latitude, for one point.
            pub(crate) fn to_sphere<N: Number>(&self, x: N, y: N) -> (N, N) {
                match &self.kind {
                    $(Kind::$kind(formula) => formula.to_sphere(x, y),)*
                }
            }

            /// From native longitude and latitude to the plane, for as many points as the shortest slice has.
            pub(crate) fn block_to_plane<N: Number>(&self, phi: &[N], theta: &[N], x: &mut [N], y: &mut [N]) {
                if any_large_degrees(phi) || any_large_degrees(theta) {
                    for (((&phi, &theta), x), y) in phi.iter().zip(theta).zip(x).zip(y) {
                        (*x, *y) = self.to_plane(phi, theta);
                    }
                    return;
                }
                match &self.kind {
                    $(Kind::$kind(formula) => block_to_plane(formula, phi, theta, x, y),)*
                }
            }

            /// From the plane to native longitude and latitude, for as many points as the shortest slice has.
            pub(crate) fn block_to_sphere<N: Number>(&self, x: &[N], y: &[N], phi: &mut [N], theta: &mut [N]) {
                match &self.kind {
                    $(Kind::$kind(formula) => block_to_sphere(formula, x, y, phi, theta),)*
                }
            }
        }
    };
}

/// A projection of the sphere onto a plane.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Projection {
    kind: Kind,
}

/// The parameters of a projection, in this order, or their defaults.
fn values<const N: usize>(
    names: [(&str, f64); N],
    parameter: &dyn Fn(&str) -> Option<f64>,
) -> Result<[f64; N], String> {
    let mut values = [0.0; N];
    for (value, (name, default)) in values.iter_mut().zip(names) {
        *value = parameter(name).unwrap_or(default);
        if !value.is_finite() {
            return Err(format!("found `{name}` of {value}, expected a finite number"));
        }
    }
    Ok(values)
}

projections! {
    Airy in zenithal, "airy", ["theta_b" = 90.0], [theta_b] => zenithal::Airy::new(theta_b), it => [it.theta_b];
    BonneEqualArea in pseudoconic, "bonne_equal_area", ["theta1" = 0.0],
        [theta1] => Ok(pseudoconic::BonneEqualArea::new(theta1)), it => [it.theta1];
    CobeQuadSphericalCube in cobe, "cobe_quad_spherical_cube", [],
        [] => Ok(cobe::CobeQuadSphericalCube), it => [];
    ConicEqualArea in conic, "conic_equal_area", ["sigma" = 90.0, "delta" = 0.0],
        [sigma, delta] => conic::ConicEqualArea::new(sigma, delta), it => [it.cone.sigma, it.cone.delta];
    ConicEquidistant in conic, "conic_equidistant", ["sigma" = 90.0, "delta" = 0.0],
        [sigma, delta] => conic::ConicEquidistant::new(sigma, delta), it => [it.cone.sigma, it.cone.delta];
    ConicOrthomorphic in conic, "conic_orthomorphic", ["sigma" = 90.0, "delta" = 0.0],
        [sigma, delta] => conic::ConicOrthomorphic::new(sigma, delta), it => [it.cone.sigma, it.cone.delta];
    ConicPerspective in conic, "conic_perspective", ["sigma" = 90.0, "delta" = 0.0],
        [sigma, delta] => conic::ConicPerspective::new(sigma, delta), it => [it.cone.sigma, it.cone.delta];
    CylindricalEqualArea in cylindrical, "cylindrical_equal_area", ["lambda" = 1.0],
        [lambda] => cylindrical::CylindricalEqualArea::new(lambda), it => [it.lambda];
    CylindricalPerspective in cylindrical, "cylindrical_perspective", ["mu" = 1.0, "lambda" = 1.0],
        [mu, lambda] => cylindrical::CylindricalPerspective::new(mu, lambda), it => [it.mu, it.lambda];
    Gnomonic in zenithal, "gnomonic", [], [] => Ok(zenithal::Gnomonic), it => [];
    HammerAitoff in pseudocylindrical, "hammer_aitoff", [],
        [] => Ok(pseudocylindrical::HammerAitoff), it => [];
    Healpix in healpix, "healpix", ["H" = 4.0, "X" = 3.0],
        [h, x] => healpix::Healpix::new(h, x), it => [it.h, it.x];
    HealpixPolar in healpix, "healpix_polar", [], [] => Ok(healpix::HealpixPolar), it => [];
    Mercator in cylindrical, "mercator", [], [] => Ok(cylindrical::Mercator), it => [];
    Molleweide in pseudocylindrical, "molleweide", [], [] => Ok(pseudocylindrical::Molleweide), it => [];
    Parabolic in pseudocylindrical, "parabolic", [], [] => Ok(pseudocylindrical::Parabolic), it => [];
    PlateCarree in cylindrical, "plate_carree", [], [] => Ok(cylindrical::PlateCarree), it => [];
    Polyconic in pseudoconic, "polyconic", [], [] => Ok(pseudoconic::Polyconic), it => [];
    QuadSphericalCube in cube, "quad_spherical_cube", [], [] => Ok(cube::QuadSphericalCube), it => [];
    SansonFlamsteed in pseudocylindrical, "sanson_flamsteed", [],
        [] => Ok(pseudocylindrical::SansonFlamsteed), it => [];
    SlantOrthographic in perspective, "slant_orthographic", ["xi" = 0.0, "eta" = 0.0],
        [xi, eta] => Ok(perspective::SlantOrthographic { xi, eta }), it => [it.xi, it.eta];
    SlantZenithalPerspective in perspective, "slant_zenithal_perspective",
        ["mu" = 0.0, "phi0" = 0.0, "theta0" = 90.0],
        [mu, phi0, theta0] => perspective::SlantZenithalPerspective::new(mu, phi0, theta0),
        it => [it.mu, it.phi0, it.theta0];
    Stereographic in zenithal, "stereographic", [], [] => Ok(zenithal::Stereographic), it => [];
    TangentialSphericalCube in cube, "tangential_spherical_cube", [],
        [] => Ok(cube::TangentialSphericalCube), it => [];
    ZenithalEqualArea in zenithal, "zenithal_equal_area", [], [] => Ok(zenithal::ZenithalEqualArea), it => [];
    ZenithalEquidistant in zenithal, "zenithal_equidistant", [],
        [] => Ok(zenithal::ZenithalEquidistant), it => [];
    ZenithalPerspective in perspective, "zenithal_perspective", ["mu" = 0.0, "gamma" = 0.0],
        [mu, gamma] => perspective::ZenithalPerspective::new(mu, gamma), it => [it.mu, it.gamma];
}
