//! How much of a file a cutout reads.

#![allow(clippy::cast_possible_truncation, reason = "the numbers of the image are small")]

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asdf_core::array::Slice;
use asdf_core::source::{Bytes, Source};
use clap::Parser as _;

use super::*;

const ARRAYS: [&str; 5] = ["data", "err", "dq", "var_poisson", "var_rnoise"];
const SIDE: u64 = 4088;
const ARRAY_SIZE: u64 = SIDE * SIDE * 4;
const BLOCK_HEADER: u64 = 54;

/// An image of five arrays and 334 MB, whose pixels are made when they are read. The bytes that are read are counted.
#[derive(Debug)]
struct Image {
    /// The header and the tree.
    front: Vec<u8>,
    read: AtomicU64,
}

impl Image {
    fn new() -> Self {
        let distorted = concat!(env!("CARGO_MANIFEST_DIR"), "/../asdf-gwcs/tests/files/distorted.asdf");
        let mut front = std::fs::read_to_string(distorted).unwrap();
        assert_eq!(front.split_off(front.rfind("...").unwrap()), "...\n", "the file has no blocks");
        for (number, name) in ARRAYS.iter().enumerate() {
            front += &format!(
                "  {name}: !core/ndarray-1.1.0\n    {{source: {number}, datatype: float32, byteorder: little, shape: [{SIDE}, {SIDE}]}}\n"
            );
        }
        // The arrays are in the mapping `roman`, which is the last one.
        front += "...\n";
        Self { front: front.into_bytes(), read: AtomicU64::new(0) }
    }

    /// Returns the value of a pixel: a different one for each pixel near the cutout.
    fn pixel(array: u64, index: u64) -> f32 {
        (((index / SIDE) % 512 * 4096 + index % SIDE) * 8 + array) as f32
    }

    /// Returns the bytes that begin at an offset, up to the next part of the file.
    fn part(&self, at: u64) -> Vec<u8> {
        if let Some(front) =
            usize::try_from(at).ok().and_then(|at| self.front.get(at..)).filter(|part| !part.is_empty())
        {
            return front.to_vec();
        }
        let at = at - self.front.len() as u64;
        let (array, at) = (at / (BLOCK_HEADER + ARRAY_SIZE), at % (BLOCK_HEADER + ARRAY_SIZE));
        if let Some(at) = at.checked_sub(BLOCK_HEADER) {
            return Self::pixel(array, at / 4).to_le_bytes()[(at % 4) as usize..].to_vec();
        }
        let mut header = b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0".to_vec();
        // The allocated, the used and the decoded size. A checksum of zeros is none.
        (0..3).for_each(|_| header.extend(ARRAY_SIZE.to_be_bytes()));
        header.resize(BLOCK_HEADER as usize, 0);
        header.split_off(at as usize)
    }
}

impl Source for Image {
    fn len(&self) -> u64 {
        self.front.len() as u64 + ARRAYS.len() as u64 * (BLOCK_HEADER + ARRAY_SIZE)
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let size = range.end - range.start;
        let read = self.read.fetch_add(size, Ordering::Relaxed) + size;
        assert!(read < 50 << 20, "whole arrays are read");
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < size {
            bytes.extend(self.part(range.start + bytes.len() as u64));
        }
        bytes.truncate(size as usize);
        Ok(bytes.into())
    }
}

#[derive(Debug, clap::Parser)]
struct Program {
    #[command(flatten)]
    args: Args,
}

/// Writes 200 x 200 pixels around a position on the sky. Returns the number of bytes read.
fn cut(context: &Context, out: &std::path::Path) -> u64 {
    let image = Arc::new(Image::new());
    assert!(image.len() > 334_000_000);
    let file = context.open_options().open_from(image.clone()).unwrap();
    let sky = Wcs::only(&file).unwrap().pixel_to_world(&[3000.0, 1000.0]).unwrap();
    let (ra, dec) = (sky[0].to_string(), sky[1].to_string());
    let out = out.to_str().unwrap();
    let words = ["asdf", "--ra", &ra, "--dec", &dec, "--size", "200", "-o", out, "image.asdf"];
    let args = Program::try_parse_from(words).unwrap().args;
    let input = Input::named(args.file.clone());
    write_part(&args, args.centre().unwrap(), file, &input, context, &mut Vec::new()).unwrap();
    image.read.load(Ordering::Relaxed)
}

/// Five parts of 160 kB, the tree and the headers of blocks are needed.
const MOST: u64 = 5_000_000;

#[test]
fn a_cutout_of_a_large_file_reads_little() {
    let folder = tempfile::tempdir().unwrap();
    let context = Context::for_completions();
    let out = folder.path().join("part.asdf");
    let read = cut(&context, &out);
    assert!(read < MOST, "{read} bytes were read");
    let part = context.open_again(&out).unwrap();
    for (number, name) in ARRAYS.iter().enumerate() {
        let array = part.array(&format!("/roman/{name}")).unwrap();
        assert_eq!(array.shape(), [200, 200]);
        for [row, column] in [[0, 0], [199, 199], [100, 7]] {
            let pixel = array.slice(&[Slice::from(row..row + 1), Slice::from(column..column + 1)]).unwrap();
            let expected =
                Image::pixel(number as u64, (900 + row.unsigned_abs()) * SIDE + 2900 + column.unsigned_abs());
            assert_eq!(pixel.read::<f32>().unwrap(), [expected], "{name} {row} {column}");
        }
    }
    // The pixel 3000, 1000 of the image.
    let sky = Wcs::only(&part).unwrap().pixel_to_world(&[100.0, 100.0]).unwrap();
    let whole = context.open_options().open_from(Image::new()).unwrap();
    let expected = Wcs::only(&whole).unwrap().pixel_to_world(&[3000.0, 1000.0]).unwrap();
    assert!(
        sky.iter().zip(&expected).all(|(one, other)| (one - other).abs() < 1e-11),
        "{sky:?}, {expected:?}"
    );
}

#[test]
fn a_cutout_as_fits_reads_as_little() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("part.fits");
    let read = cut(&Context::for_completions(), &out);
    assert!(read < MOST, "{read} bytes were read");
    let fits = asdf_fits::open(&out).unwrap();
    let images = fits.hdus.iter().filter_map(|hdu| match &hdu.data {
        Some(asdf_fits::Data::Image(image)) => Some(image.shape().to_vec()),
        _ => None,
    });
    assert_eq!(images.collect::<Vec<_>>(), vec![vec![200, 200]; 5]);
}
