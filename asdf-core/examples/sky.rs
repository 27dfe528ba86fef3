//! Writes a simulated image of the sky: a spiral galaxy, its companion, stars, noise and dead columns.
//!
//! Run it with `cargo run -p asdf-core --example sky -- sky.asdf`. The picture in the README is made with
//! `asdf preview sky.asdf --stretch asinh --colormap inferno --size 600 -o docs/sky.png`.

use asdf_core::{Compression, Error, File, NdArray, Result};

const WIDTH: u16 = 1440;
const HEIGHT: u16 = 960;

fn main() -> Result<()> {
    write(std::env::args().nth(1).ok_or_else(|| Error::usage("sky FILE"))?)
}

/// Writes the picture; the tests of the book use it too.
pub(crate) fn write(path: impl AsRef<std::path::Path>) -> Result<()> {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let stars: Vec<Star> = (0..420).map(|_| Star::any(&mut chance)).collect();
    let main = Galaxy { x: 660.0, y: 470.0, radius: 118.0, light: 900.0, tilt: 0.62, turn: -0.5, arms: 1.0 };
    let companion =
        Galaxy { x: 1130.0, y: 730.0, radius: 26.0, light: 420.0, tilt: 0.8, turn: 0.9, arms: 0.0 };

    let mut pixels = Vec::with_capacity(usize::from(WIDTH) * usize::from(HEIGHT));
    for y in 0..HEIGHT {
        let near: Vec<&Star> =
            stars.iter().filter(|star| (star.y - f64::from(y)).abs() < star.reach()).collect();
        for x in 0..WIDTH {
            let (x, y) = (f64::from(x), f64::from(y));
            let starlight: f64 = near.iter().map(|star| star.at(x, y)).sum();
            let light = 210.0 + 0.012 * x + main.at(x, y) + companion.at(x, y) + starlight;
            // The noise of photons and of the detector.
            let noise = chance.normal() * (light / 9.0 + 9.0).sqrt();
            let dead = (x - 1211.0).abs() < 3.0 && y > 300.0;
            pixels.push(if dead { f32::NAN } else { near_f32(light + noise) });
        }
    }
    let image = NdArray::new(&[HEIGHT.into(), WIDTH.into()], &pixels)?.with_compression(Compression::LZ4)?;
    let mut file = File::new();
    file.set("/data", &image)?;
    file.set("/unit", "electron")?;
    file.write(path)
}

#[allow(clippy::cast_possible_truncation, reason = "the nearest float32 is wanted")]
fn near_f32(value: f64) -> f32 {
    value as f32
}

/// A disc that fades outwards, with two arms and a bulge.
struct Galaxy {
    x: f64,
    y: f64,
    /// The radius at which the brightness falls by a factor of e, in pixels.
    radius: f64,
    light: f64,
    /// The ratio of its axes; 1 is seen from above.
    tilt: f64,
    /// The position angle in radians.
    turn: f64,
    arms: f64,
}

impl Galaxy {
    fn at(&self, x: f64, y: f64) -> f64 {
        let (sin, cos) = self.turn.sin_cos();
        let (dx, dy) = (x - self.x, y - self.y);
        let (along, across) = (dx * cos + dy * sin, (dy * cos - dx * sin) / self.tilt);
        let distance = along.hypot(across) / self.radius;
        let angle = across.atan2(along);
        // A logarithmic spiral, narrower outwards, with knots where stars form.
        let phase = 2.0 * (angle - 2.9 * (distance + 0.12).ln());
        let knots = 1.0 + 0.16 * (11.0 * angle + 5.0 * distance).sin() * (13.0 * distance).cos();
        let arm = ((phase.cos() + 1.0) / 2.0).powi(3) * (distance * 1.6).min(1.0) * knots;
        let disc = (-distance).exp() * (1.0 - 0.55 * self.arms + 1.9 * self.arms * arm);
        let bulge = 3.2 * (-7.67 * ((distance / 0.22).sqrt().sqrt() - 1.0)).exp().min(60.0) / 4.0;
        self.light * (0.5 * disc + 0.12 * bulge)
    }
}

/// A star, blurred by the air and the telescope.
struct Star {
    x: f64,
    y: f64,
    light: f64,
}

impl Star {
    fn any(chance: &mut Chance) -> Self {
        let (x, y) = (chance.even() * f64::from(WIDTH), chance.even() * f64::from(HEIGHT));
        // Many faint ones, few bright ones.
        Self { x, y, light: 45.0 * (1.0 - chance.even()).powf(-1.15).min(900.0) }
    }

    fn reach(&self) -> f64 {
        12.0 + self.light.sqrt() * 0.7
    }

    fn at(&self, x: f64, y: f64) -> f64 {
        const SEEING: f64 = 2.6;
        let square = ((x - self.x).powi(2) + (y - self.y).powi(2)) / (SEEING * SEEING);
        // Moffat's profile.
        self.light * (1.0 + square).powf(-2.5)
    }
}

/// A generator of random numbers with a fixed seed.
struct Chance(u64);

impl Chance {
    /// Returns a number from 0 to below 1, evenly distributed.
    fn even(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from(u32::try_from(self.0 >> 32).unwrap_or(0)) / 4_294_967_296.0
    }

    /// Returns a normally distributed number with mean 0 and deviation 1, by the method of Box and Muller.
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.even(), self.even());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}
