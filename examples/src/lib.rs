//! The metadata of a camera as types with their own tags, as a template for your own instrument.
//!
//! | file | contents |
//! |---|---|
//! | `src/exposure/mod.rs` | the types; those with a tag are compared with their schemas at compile time |
//! | `src/exposure/v1_0_0.rs` | an older version, and its conversion to the newest |
//! | `src/lib.rs` | the extension of these types, and an example value |
//! | `package/` | the schemas and the manifest, made from the types by `camera export package` |
//! | `src/bin/camera.rs` | a program that writes, reads and validates files |
//! | `src/refused.rs`, `src/bin/refused.rs` | invalid values, and the errors that refuse them |
//! | `tests/` | tests of all of this |
//!
//! Python's asdf needs only `package/` to validate the files: see `tests/interop/camera.py`.

pub mod exposure;
pub mod refused;

use asdf_core::file::Extension;
use asdf_core::{File, NdArray, Result};
use asdf_schemas::Registry;
use asdf_schemas::export::ExportedPackage;
use asdf_schemas::time::Time;
use asdf_schemas::unit::Quantity;
use exposure::{Exposure, Filter, FilterName, Mode, Number, Region};

/// Returns the extension: its types, their schemas, and a handle that keeps tags short.
///
/// # Errors
/// If the manifest is damaged.
pub fn extension() -> Result<Extension> {
    Extension::new("asdf://example.org/camera/extensions/camera-1.1.0")?
        .package(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
        .with::<Exposure>()
        .with::<Filter>()
        .schema(include_str!("../package/schemas/exposure-1.1.0.yaml"))
        .schema(include_str!("../package/schemas/filter-1.0.0.yaml"))
        .handle("!camera!", "asdf://example.org/camera/tags/")
        .manifest(include_str!("../package/manifests/camera-1.1.0.yaml"))
}

/// Returns the schemas of the standard and of the camera.
///
/// # Errors
/// If a schema is damaged.
pub fn registry() -> Result<Registry> {
    let mut registry = Registry::new();
    registry.add_extension(&extension()?)?;
    Ok(registry)
}

/// Makes the schema package from the types.
///
/// # Errors
/// If an example cannot be written.
pub fn package() -> Result<ExportedPackage> {
    let mut package = ExportedPackage::new(&extension()?)?;
    package.example("A filter for the near infrared.", &filter()?)?;
    Ok(package)
}

/// Makes a file with an exposure.
///
/// # Errors
/// If the exposure cannot be written.
pub fn file() -> Result<File> {
    let mut file = File::new();
    file.add_extension(extension()?);
    file.set("/exposure", &exposure()?)?;
    Ok(file)
}

fn filter() -> Result<Filter> {
    Ok(Filter::new(FilterName::new("F150W")?, Quantity::scalar(1501.0, "nm")?))
}

/// Makes an exposure with typical values.
///
/// # Errors
/// Never, because the values are valid.
pub fn exposure() -> Result<Exposure> {
    let image: Vec<u16> = (0..64 * 48).collect();
    let image = NdArray::new(&[48, 64], &image)?;
    let mut exposure = Exposure::new(
        Number::new(4711)?,
        Time::parse("2026-11-20T12:30:00.250")?,
        Quantity::scalar(12.5, "s")?,
        Mode::UpTheRamp,
        image,
    );
    exposure.filter = Some(filter()?);
    exposure.region = Some(Region::Rectangle { corner: (16, 8), shape: [24, 32] });
    exposure.bias = Some(vec![[100.5, 101.25], [99.75, 100.0]]);
    exposure.notes = vec!["through thin clouds".to_owned()];
    exposure.extra.insert("observer", "the night shift")?;
    Ok(exposure)
}
