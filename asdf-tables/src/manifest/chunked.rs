//! Maps an array that is stored in chunks.

use std::ops::Range;
use std::sync::Arc;

use asdf_core::array::ChunkedArray;
use asdf_core::{Error, Result};

use super::array::MappedArray;
use super::chunks::Chunks;
use super::ndarray::Mapper;

/// Maps a chunked array whose chunks form a regular grid.
///
/// # Errors
/// Fails with the reason if the chunks are not equal, overlap, or do not fill the array; and if one of them cannot be
/// mapped.
pub(super) fn map(mapper: &mut Mapper<'_>, path: &str, array: &ChunkedArray) -> Result<MappedArray> {
    let irregular = || Error::unsupported("the chunks of the array are not equal, or do not fill it");
    let first = array.chunks().first().ok_or_else(irregular)?;
    let shape = first.array().shape();
    let mut counts = Vec::with_capacity(shape.len());
    for (&whole, &chunk) in array.shape().iter().zip(shape) {
        let count = whole.checked_div(chunk).filter(|count| *count > 0 && whole.is_multiple_of(chunk));
        counts.push(count.ok_or_else(irregular)?);
    }
    let total = counts.iter().try_fold(1_u64, |total, &count| total.checked_mul(count));
    // So the grid below is not larger than the list of chunks.
    if total != Some(array.chunks().len() as u64) {
        return Err(irregular());
    }
    let mut found: Option<MappedArray> = None;
    let mut grid: Vec<Option<Chunks>> = vec![None; array.chunks().len()];
    for (index, chunk) in array.chunks().iter().enumerate() {
        if chunk.array().shape() != shape {
            return Err(irregular());
        }
        let mut place = 0_u64;
        for ((&start, &length), &count) in chunk.start().iter().zip(shape).zip(&counts) {
            if !start.is_multiple_of(length) {
                return Err(irregular());
            }
            place = place.saturating_mul(count).saturating_add(start / length);
        }
        let mapped = mapper
            .map(path, chunk.array())
            .and_then(|mapped| Ok((one_chunk(&mapped.chunks)?, mapped)))
            .map_err(|error| error.under("ndarray").under(index).under("chunks").at_path(path))?;
        let (chunks, mapped) = mapped;
        let slot = usize::try_from(place).ok().and_then(|place| grid.get_mut(place));
        let slot = slot.filter(|slot| slot.is_none()).ok_or_else(irregular)?;
        *slot = Some(chunks);
        match &found {
            None => found = Some(mapped),
            Some(first) if first.dtype == mapped.dtype && first.compressor == mapped.compressor => {}
            Some(_) => {
                return Err(Error::unsupported(
                    "the chunks of the array differ in byte order or compression",
                ));
            }
        }
    }
    let first = found.ok_or_else(irregular)?;
    Ok(MappedArray {
        shape: array.shape().to_vec(),
        chunk_shape: shape.to_vec(),
        chunks: Chunks::Parts(grid.into_iter().flatten().collect()),
        ..first
    })
}

/// Returns the data of a chunk as one range.
fn one_chunk(chunks: &Chunks) -> Result<Chunks> {
    Ok(match chunks {
        Chunks::Even { url, start, size, count } => Chunks::Even {
            url: url.clone(),
            start: *start,
            // This is the size of the chunk, which was checked.
            size: size.saturating_mul(*count),
            count: 1,
        },
        Chunks::Ranges { ranges, .. } if ranges.len() > 1 => {
            return Err(Error::unsupported("the chunk has several lz4 frames"));
        }
        Chunks::Ranges { url, ranges } => {
            let ranges: Arc<[Range<u64>]> = ranges.clone();
            Chunks::Ranges { url: url.clone(), ranges }
        }
        other => other.clone(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
mod tests {
    use asdf_core::{Datatype, File, NdArray};

    use super::*;
    use crate::manifest::Manifest;

    /// Writes a file with an array of 4 x 6 elements in chunks of 2 x 3, and returns its bytes and its references.
    fn mapped(chunks: &[([u64; 2], u16)]) -> (Vec<u8>, std::result::Result<serde_json::Value, String>) {
        let mut sky = ChunkedArray::new(Datatype::Uint16, &[4, 6]);
        for &(start, value) in chunks {
            sky.push(&start, NdArray::new(&[2, 3], &[value; 6]).unwrap()).unwrap();
        }
        let mut file = File::new();
        file.set("/sky", &sky).unwrap();
        let bytes = file.to_bytes().unwrap();
        let manifest = Manifest::of(&File::from_bytes(bytes.clone()).unwrap(), |_| Ok("x.asdf".to_owned()));
        if let [error] = manifest.left_out() {
            return (bytes, Err(error.to_string()));
        }
        let mut json = Vec::new();
        manifest.write_json(&mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        (bytes, Ok(json["refs"].clone()))
    }

    #[test]
    fn each_chunk_of_a_grid_is_a_chunk_of_zarr() {
        // Not in the order of the grid.
        let (bytes, refs) = mapped(&[([2, 3], 11), ([0, 0], 0), ([0, 3], 1), ([2, 0], 10)]);
        let refs = refs.unwrap();
        let zarray: serde_json::Value = serde_json::from_str(refs["sky/.zarray"].as_str().unwrap()).unwrap();
        assert_eq!((&zarray["shape"], &zarray["chunks"]), (&[4, 6].into(), &[2, 3].into()));
        for (key, value) in [("sky/0.0", 0_u16), ("sky/0.1", 1), ("sky/1.0", 10), ("sky/1.1", 11)] {
            let place = |index: usize| usize::try_from(refs[key][index].as_u64().unwrap()).unwrap();
            let stored = &bytes[place(1)..place(1) + place(2)];
            assert_eq!(stored, value.to_ne_bytes().repeat(6), "{key}");
        }
    }

    #[test]
    fn other_chunks_are_left_out() {
        for chunks in [
            &[([0, 0], 1)][..],
            &[([0, 0], 1), ([0, 3], 1), ([2, 0], 1), ([2, 0], 1)],
            &[([0, 0], 1), ([0, 3], 1), ([2, 0], 1), ([1, 3], 1)],
        ] {
            let error = mapped(chunks).1.unwrap_err();
            assert!(error.contains("/sky") && error.contains("do not fill it"), "{error}");
        }
    }
}
