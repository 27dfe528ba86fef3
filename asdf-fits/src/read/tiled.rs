//! Reads images that are compressed tile by tile (FITS Standard 4.0, section 10.1). The crate `fitsio-pure`
//! decodes them. It relies on a valid header, so the header is checked here first.

use asdf_core::array::ByteOrder;
use asdf_core::source::Bytes;
use asdf_core::{Error, NdArray, Result};
use fitsio_pure::hdu::Hdu as TiledHdu;
use fitsio_pure::header::parse_header_blocks;
use fitsio_pure::image::ImageData;
use fitsio_pure::tiled::read_tiled_image;

use super::bintable::Rows;
use super::{BLOCK, Decoded, check_growth, count, heap};
use crate::card::{self, Card};
use crate::form::FormKind;
use crate::hdu::{Data, Hdu};
use crate::scale::{Place, Scale};

pub(super) fn image(hdu: &Hdu, axes: &[usize], bytes: &Bytes, masks: bool) -> Result<Decoded> {
    let shape = check(hdu, axes, bytes)?;
    // The decoder parses a header itself. It needs only these cards.
    let mut cards = Vec::new();
    for card in hdu.header.iter().filter(|card| !card.is_commentary() && card.keyword.len() <= 8) {
        card::write(card, &mut cards)?;
    }
    cards.extend_from_slice(format!("{:80}", "END").as_bytes());
    cards.resize(cards.len().next_multiple_of(BLOCK), b' ');
    let failed =
        |error: fitsio_pure::Error| Error::malformed(format!("cannot decompress the image: {error}"));
    let tiled =
        parse_header_blocks(&cards).and_then(|cards| TiledHdu::from_cards(cards, 0, 0)).map_err(failed)?;
    let image = match read_tiled_image(bytes, &tiled).map_err(failed)? {
        ImageData::U8(values) => NdArray::new(&shape, &values),
        ImageData::I16(values) => NdArray::new(&shape, &values),
        ImageData::I32(values) => NdArray::new(&shape, &values),
        ImageData::I64(values) => NdArray::new(&shape, &values),
        ImageData::F32(values) => NdArray::new(&shape, &values),
        ImageData::F64(values) => NdArray::new(&shape, &values),
    };
    let image = image?.with_byteorder(ByteOrder::Big)?;
    let values = Scale::of_image(hdu)?.values(&image, Place::Image, masks)?;
    Ok(Decoded { data: Some(Data::Image(values)), header: Some(header(hdu)?), exact: false })
}

/// Checks everything that the decoder relies on, and returns the shape of the image.
fn check(hdu: &Hdu, axes: &[usize], bytes: &Bytes) -> Result<Vec<u64>> {
    let dimensions = match count(hdu, "ZNAXIS")? {
        n @ 1..=999 => {
            (1..=n).map(|axis| count(hdu, &format!("ZNAXIS{axis}"))).collect::<Result<Vec<_>>>()?
        }
        n => return Err(Error::malformed(format!("ZNAXIS is {n}, expected 1 to 999"))),
    };
    let value = hdu.value("ZBITPIX").and_then(|value| value.as_i64());
    let bits = value.and_then(super::datatype_of);
    let bits = bits.ok_or_else(|| super::image::unknown_bits("ZBITPIX", value))?;
    let item = usize::try_from(bits.size()?).unwrap_or(8);
    let size = dimensions.iter().try_fold(item, |size, &axis| size.checked_mul(axis));
    check_growth(size, bytes.len())?;
    for axis in 1..=dimensions.len() {
        if let Some(tile) = hdu.value(&format!("ZTILE{axis}")) {
            if tile.as_i64().is_none_or(|tile| tile < 1) {
                return Err(Error::malformed(format!("ZTILE{axis} is not a positive integer")));
            }
        }
    }
    for (index, most) in [(1, 1024), (2, 1024)] {
        if let Some(value) = hdu.value(&format!("ZVAL{index}")).and_then(|value| value.as_i64()) {
            let block = hdu
                .text(&format!("ZNAME{index}"))
                .is_some_and(|name| matches!(name, "BLOCKSIZE" | "BYTEPIX"));
            if block && !(1..=most).contains(&value) {
                return Err(Error::malformed(format!("ZVAL{index} is {value}, expected 1 to {most}")));
            }
        }
    }
    if hdu
        .value("THEAP")
        .is_some_and(|start| start.as_i64() != i64::try_from(axes.iter().product::<usize>()).ok())
    {
        return Err(Error::unsupported("compressed images with a gap before the heap are not supported"));
    }
    let rows = Rows::of(hdu, axes, bytes)?;
    for (index, form) in rows.forms.iter().enumerate() {
        if let FormKind::Heap { element, .. } = &form.kind {
            let size = usize::try_from(element.size()?).unwrap_or(1);
            heap::arrays(&rows.column(index)?, size, &rows.heap)?;
        }
    }
    Ok(dimensions.iter().rev().map(|&axis| axis as u64).collect())
}

/// Makes the header of the image from that of the table that holds the compressed tiles.
fn header(hdu: &Hdu) -> Result<Vec<Card>> {
    let number = |keyword: &str| hdu.value(keyword).and_then(|value| value.as_i64());
    let comment = |keyword: &str| hdu.card(keyword).map(|card| card.comment.as_str()).unwrap_or_default();
    let axes = number("ZNAXIS").unwrap_or(0);
    let mut cards = vec![
        Card::new("XTENSION", "IMAGE", "Image extension"),
        Card::new("BITPIX", number("ZBITPIX").unwrap_or(8), comment("ZBITPIX")),
        Card::new("NAXIS", axes, comment("ZNAXIS")),
    ];
    for axis in 1..=axes {
        let keyword = format!("ZNAXIS{axis}");
        cards.push(Card::new(&format!("NAXIS{axis}"), number(&keyword).unwrap_or(0), comment(&keyword)));
    }
    cards.push(Card::new("PCOUNT", number("ZPCOUNT").unwrap_or(0), comment("ZPCOUNT")));
    cards.push(Card::new("GCOUNT", number("ZGCOUNT").unwrap_or(1), comment("ZGCOUNT")));
    let made = cards.len();
    for card in &hdu.header {
        let plain = card.keyword.trim_end_matches(|c: char| c.is_ascii_digit());
        let of_table = matches!(
            plain,
            "XTENSION"
                | "BITPIX"
                | "NAXIS"
                | "PCOUNT"
                | "GCOUNT"
                | "TFIELDS"
                | "THEAP"
                | "CHECKSUM"
                | "DATASUM"
        ) || (plain != card.keyword
            && matches!(plain, "TTYPE" | "TFORM" | "TUNIT" | "TDIM" | "TNULL" | "TSCAL" | "TZERO" | "TDISP"));
        let of_tiles = matches!(
            plain,
            "ZIMAGE"
                | "ZCMPTYPE"
                | "ZBITPIX"
                | "ZNAXIS"
                | "ZTILE"
                | "ZNAME"
                | "ZVAL"
                | "ZQUANTIZ"
                | "ZDITHER"
                | "ZSIMPLE"
                | "ZTENSION"
                | "ZEXTEND"
                | "ZBLOCKED"
                | "ZPCOUNT"
                | "ZGCOUNT"
                | "ZHECKSUM"
                | "ZDATASUM"
                | "ZSCALE"
                | "ZZERO"
                | "ZBLANK"
                | "ZMASKCMP"
        );
        let own_name = card.keyword == "EXTNAME" && card.as_str() == Some("COMPRESSED_IMAGE");
        let twice = cards.iter().take(made).any(|made| made.keyword == card.keyword);
        if !(of_table || of_tiles || own_name || twice) {
            cards.push(card.clone());
        }
    }
    Ok(cards)
}
