//! ASDF files in FITS files.

mod container;
mod description;
mod part;
mod record;
mod units;

use std::path::Path;
use std::sync::Arc;

use asdf_core::file::{Container, ContainerFormat};
use asdf_core::source::{MemorySource, Source};
use asdf_core::{File, OpenOptions, Result};

use crate::read::{has_header, is_fits, unpacked};
use container::FitsContainer;

/// The format of FITS files with an extension `ASDF`, as the products of the James Webb Space Telescope.
///
/// The extension is a binary table with one column of bytes, or an image of bytes in old files. It holds an ASDF file
/// whose arrays refer to other units by name and version, or by number: `source: "fits:SCI,1"`, `source: "fits:3"`.
///
/// | unit | its array |
/// |---|---|
/// | image | the values that astropy shows; a part is read without the rest if they are stored as they are |
/// | compressed image | decompressed on its first use |
/// | binary table | records, with scaled and unsigned columns and booleans as astropy shows them |
/// | table with columns of variable length, ASCII table, random groups | an error, when the array is read |
///
/// The datatype of an array is that of the unit, whatever the tree says: stdatamodels ignores that of the tree as well.
/// A shape that differs is an error when the array is read. Offsets in errors of the ASDF file count from its start.
///
/// # Examples
/// ```
/// use asdf_core::{File, NdArray, OpenOptions};
/// use asdf_fits::{AsdfInFits, Card, Column, Data, Fits, Hdu, Table};
///
/// let mut tree = String::from("#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n");
/// tree += "data: !core/ndarray-1.0.0 {source: 'fits:SCI,1', datatype: float32, byteorder: big, shape: [1, 2]}\n...\n";
/// let bytes = NdArray::new(&[1, tree.len() as u64], tree.as_bytes())?;
///
/// let named = |name: &str| Hdu::new(vec![Card::new("EXTNAME", name, "")]);
/// let science = named("SCI").with_data(Data::Image(NdArray::new(&[1, 2], &[1.5_f32, 2.5])?));
/// let table = Table::new(vec![Column::new("ASDF_METADATA", bytes)])?;
/// let asdf = named("ASDF").with_data(Data::Table(table));
/// let fits = Fits::new(vec![Hdu::new(Vec::new()), science, asdf]).to_bytes()?;
///
/// let file = OpenOptions::new().container(AsdfInFits::format()).open_bytes(fits)?;
/// assert_eq!(file.array("/data")?.read::<f32>()?, [1.5, 2.5]);
/// // Written as a plain ASDF file, the array is in a block.
/// assert_eq!(File::from_bytes(file.to_bytes()?)?.array("/data")?.source(), Some(0));
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AsdfInFits;

impl AsdfInFits {
    /// Returns the format for [`OpenOptions::container`].
    #[must_use]
    pub fn format() -> Arc<dyn ContainerFormat> {
        Arc::new(Self)
    }
}

impl ContainerFormat for AsdfInFits {
    fn matches(&self, first: &[u8]) -> bool {
        is_fits(first)
    }

    fn check_start(&self, first: &[u8]) -> Result<bool> {
        has_header(first)
    }

    fn open(&self, source: Arc<dyn Source>) -> Result<Arc<dyn Container>> {
        let is_packed = source.read(0..source.len().min(2))?.as_ref() == [0x1f, 0x8b];
        let source = match is_packed {
            true => Arc::new(MemorySource::new(unpacked(source.read(0..source.len())?)?)),
            false => source,
        };
        Ok(Arc::new(FitsContainer::new(source, is_packed)?))
    }
}

/// Opens the ASDF file in a FITS file: reads the headers of the units and the tree. Also opens a plain ASDF file.
///
/// Arrays are read on first use, from the blocks of the ASDF file and from other units. See [`AsdfInFits`].
///
/// # Errors
/// [`Unsupported`](asdf_core::error::Kind::Unsupported) if the FITS file has no extension `ASDF`;
/// [`Malformed`](asdf_core::error::Kind::Malformed) if it is damaged. Otherwise the errors of [`OpenOptions::open`].
///
/// # Examples
/// ```no_run
/// use asdf_core::OpenOptions;
///
/// let file = asdf_fits::open_asdf("jw01234_nrca1_cal.fits", &OpenOptions::new())?;
/// let telescope: String = file.get("/meta/telescope")?;
/// let data = file.array("/data")?;
/// println!("{telescope}: {:?} pixels", data.shape());
/// file.write("jw01234_nrca1_cal.asdf")?;
/// # Ok::<(), asdf_core::Error>(())
/// ```
pub fn open_asdf(path: impl AsRef<Path>, options: &OpenOptions) -> Result<File> {
    options.clone().container(AsdfInFits::format()).open(path)
}
