//! Lists the types of the standard that have tags, for several tests.

/// Calls a macro with the types of the standard that have tags. The modules of `asdf_schemas` are in scope.
#[macro_export]
macro_rules! standard_types {
    ($call:ident) => {
        $call! {
            basic::Asdf,
            basic::Column,
            basic::Constant,
            basic::ExtensionMetadata,
            basic::ExternalArray,
            basic::HistoryEntry,
            basic::Software,
            basic::SubclassMetadata,
            basic::Table,
            basic::asdf::v1_0_0::Asdf,
            fits::Fits,
            fits::fits::v1_0_0::Fits,
            table::Column,
            table::Table,
            time::Time,
            time::time::v1_0_0::Time,
            time::time::v1_1_0::Time,
            time::time::v1_2_0::Time,
            time::time::v1_3_0::Time,
            unit::Defunit,
            unit::Quantity,
            unit::Unit,
            unit::quantity::v1_1_0::Quantity,
            wcs::CelestialFrame,
            wcs::CompositeFrame,
            wcs::IcrsCoord,
            wcs::SpectralFrame,
            wcs::Step,
            wcs::Wcs,
            wcs::celestial_frame::v1_0_0::CelestialFrame,
            wcs::composite_frame::v1_0_0::CompositeFrame,
            wcs::spectral_frame::v1_0_0::SpectralFrame,
        }
    };
}
