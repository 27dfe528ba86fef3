//! Types that agree with their schemas.

#![deny(warnings, unused, dead_code)]

use asdf_core::value::{Extra, Timestamp};
use asdf_core::{Asdf, NdArray, Tagged, yaml};

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0", schema = "schemas/exposure-1.0.0.yaml")]
pub struct Exposure<T> {
    pub time: T,
    #[asdf(array, codec = "zlib:9")]
    pub data: Vec<f32>,
    #[asdf(default = 1)]
    pub reads: u8,
    pub filter: Option<Box<Filter>>,
    pub mode: Option<Mode>,
    pub note: Option<String>,
    pub start: Option<Timestamp>,
}

#[derive(Asdf)]
#[asdf(schema = "schemas/filter-1.0.0.yaml")]
pub struct Filter {
    pub name: String,
    pub wavelength: f64,
    #[asdf(extra)]
    pub extra: Extra,
}

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/camera/tags/exposure-1.0.0", schema = "schemas/exposure-1.0.0.yaml")]
#[asdf(accepts = ["asdf://example.org/camera/tags/exposure-1.*"])]
pub struct Another {
    pub time: u16,
    pub data: Tagged<NdArray>,
    #[asdf(extra)]
    pub rest: Extra,
}

#[derive(Asdf)]
#[asdf(schema = "schemas/mode-1.0.0.yaml")]
pub enum Mode {
    #[asdf(rename = "slow")]
    Slow,
    #[asdf(rename = "fast")]
    Fast,
    #[asdf(rename = "up the ramp")]
    UpTheRamp,
}

fn main() -> asdf_core::Result<()> {
    let tree = yaml::parse("{time: 2.5, data: [1, 2], mode: up the ramp}")?;
    let exposure: Exposure<f64> = tree.get("")?;
    assert!(exposure.time > 2.0 && exposure.data.len() == 2 && exposure.reads == 1);
    assert!(matches!(exposure.mode, Some(Mode::UpTheRamp)));
    Ok(())
}
