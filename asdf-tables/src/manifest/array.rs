//! `MappedArray`: an array that zarr can read.

use serde_json::{Value as Json, json};

use super::chunks::{Chunks, Reference};
use super::compressor::Compressor;

/// An array that zarr can read: its metadata, and where its chunks are.
#[derive(Debug, Clone)]
pub(super) struct MappedArray {
    /// The path in the tree, a JSON Pointer.
    pub(super) path: String,
    pub(super) shape: Vec<u64>,
    /// The shape of each chunk. It divides the shape.
    pub(super) chunk_shape: Vec<u64>,
    /// The `dtype` of zarr.
    pub(super) dtype: Json,
    pub(super) compressor: Compressor,
    pub(super) chunks: Chunks,
    /// The number of files that are stacked along the first axis.
    pub(super) stacked: bool,
}

impl MappedArray {
    /// Returns the `.zarray` of zarr, version 2.
    pub(super) fn zarray(&self) -> Json {
        json!({
            "zarr_format": 2,
            "shape": self.shape,
            "chunks": self.chunk_shape,
            "dtype": self.dtype,
            "compressor": self.compressor.json(),
            "fill_value": null,
            "filters": null,
            "order": "C",
        })
    }

    /// Returns the same array without its chunks.
    pub(super) fn without_chunks(&self) -> Self {
        Self {
            path: self.path.clone(),
            shape: self.shape.clone(),
            chunk_shape: self.chunk_shape.clone(),
            dtype: self.dtype.clone(),
            compressor: self.compressor,
            chunks: Chunks::Parts(Vec::new()),
            stacked: self.stacked,
        }
    }

    /// Returns what was found in another array and expected from this one, if they cannot be stacked.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if self.shape != other.shape {
            Some(format!("found the shape {:?}, expected {:?}", other.shape, self.shape))
        } else if self.dtype != other.dtype {
            Some(format!("found the dtype {}, expected {}", other.dtype, self.dtype))
        } else if self.compressor != other.compressor {
            let name = |array: &Self| array.compressor.name();
            Some(format!("found {}, expected {}", name(other), name(self)))
        } else if self.chunk_shape != other.chunk_shape {
            Some(format!("found chunks of shape {:?}, expected {:?}", other.chunk_shape, self.chunk_shape))
        } else {
            None
        }
    }

    /// Stacks the chunks of several arrays like this one on a new first axis.
    pub(super) fn stack(mut self, parts: Vec<Chunks>) -> Self {
        self.shape.insert(0, parts.len() as u64);
        self.chunk_shape.insert(0, 1);
        self.chunks = Chunks::Parts(parts);
        self.stacked = true;
        self
    }

    /// Iterates over the chunks and their keys, such as `0.1`.
    pub(super) fn keyed(&self) -> impl Iterator<Item = (String, Reference<'_>)> {
        let counts: Vec<u64> =
            self.shape.iter().zip(&self.chunk_shape).map(|(&n, &c)| n / c.max(1)).collect();
        let mut index = vec![0_u64; counts.len()];
        self.chunks.references().map(move |reference| {
            let key = match index.as_slice() {
                [] => "0".to_owned(),
                index => index.iter().map(u64::to_string).collect::<Vec<_>>().join("."),
            };
            for (slot, &count) in index.iter_mut().zip(&counts).rev() {
                *slot += 1;
                if *slot < count {
                    break;
                }
                *slot = 0;
            }
            (key, reference)
        })
    }
}

/// An array and its path in the groups of zarr.
#[derive(Debug)]
pub(super) struct Placed {
    pub(super) steps: Vec<String>,
    pub(super) array: MappedArray,
}
