//! Makes images like those of telescopes, to compress.

use asdf_core::{NdArray, Result};

/// The number of pixels in a row.
const WIDTH: u64 = 4096;

/// A kind of image.
#[derive(Debug, Clone, Copy)]
pub struct Image {
    /// The name.
    pub name: &'static str,
    /// Makes an image of at most this number of bytes, in whole rows.
    pub make: fn(u64) -> Result<NdArray>,
}

/// Images with much noise, with little, and with almost none.
pub const IMAGES: &[Image] = &[
    Image { name: "f32", make: noisy },
    Image { name: "u16", make: counts },
    Image { name: "dq", make: flags },
];

/// Makes an image in `f32`: noise around an empty sky, and a source in every tile of 64 × 64 pixels.
fn noisy(bytes: u64) -> Result<NdArray> {
    let mut noise = Noise::new();
    array(bytes / 4, |row, column| {
        let (y, x) = (row % 64, column % 64);
        let far = f32::from(x).mul_add(f32::from(x), f32::from(y) * f32::from(y)) / 8.0;
        noise.normal() + 500.0 * (-far).exp()
    })
}

/// Makes an image in `u16`: counts of photons, 900 on average.
fn counts(bytes: u64) -> Result<NdArray> {
    let mut noise = Noise::new();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "around 900")]
    array(bytes / 2, |_, _| noise.normal().mul_add(30.0, 900.0) as u16)
}

/// Makes an image in `u32`: data-quality flags, set in one of a hundred pixels.
fn flags(bytes: u64) -> Result<NdArray> {
    let mut noise = Noise::new();
    array(bytes / 4, |_, _| {
        let number = noise.next();
        if number % 100 == 0 { 1_u32 << (number >> 60) } else { 0 }
    })
}

/// Makes an array of pixels.
fn array<T: asdf_core::array::Element + Clone>(
    pixels: u64,
    mut pixel: impl FnMut(u16, u16) -> T,
) -> Result<NdArray> {
    let rows = pixels / WIDTH;
    let mut data = Vec::new();
    for row in 0..rows {
        let row = u16::try_from(row % WIDTH).unwrap_or(0);
        data.extend((0..4096).map(|column| pixel(row, column)));
    }
    NdArray::new(&[rows, WIDTH], &data)
}

/// A splitmix64 generator, which makes the same numbers on every machine.
struct Noise(u64);

impl Noise {
    fn new() -> Self {
        Self(7)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number that is nearly normally distributed, with mean 0 and deviation 1: a sum of uniform numbers.
    fn normal(&mut self) -> f32 {
        let sum: i64 = (0..3)
            .map(|_| {
                let number = self.next();
                (0..4).map(|part| i64::try_from((number >> (16 * part)) & 0xffff).unwrap_or(0)).sum::<i64>()
            })
            .sum();
        #[allow(clippy::cast_precision_loss, reason = "20 bits")]
        let even = (sum - 6 * 65_535) as f32;
        even / 65_536.0 + (self.next() >> 40) as f32 / (1_u64 << 40) as f32
    }
}
