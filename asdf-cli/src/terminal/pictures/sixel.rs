//! Sixel: bands of six rows, with one pass over a band for each of its colours.

use std::io::Write;

use asdf_picture::Picture;

const BAND: usize = 6;

/// Draws a picture. Transparent pixels without a value are not drawn.
pub(super) fn draw(picture: &Picture, out: &mut dyn Write) -> std::io::Result<()> {
    let (width, height) = (picture.width(), picture.height());
    write!(out, "\x1bPq\"1;1;{width};{height}")?;
    let mut used = [false; 256];
    for &pixel in picture.pixels() {
        if let Some(used) = used.get_mut(usize::from(pixel)) {
            *used = true;
        }
    }
    // The last level is for pixels without a value.
    if let Some(used) = used.last_mut().filter(|_| picture.is_transparent()) {
        *used = false;
    }
    let levels = (0..=u8::MAX).zip(used).filter(|(_, used)| *used).map(|(level, _)| level);
    for level in levels {
        let [red, green, blue] = picture.colour(level).map(|part| (u32::from(part) * 100 + 127) / 255);
        write!(out, "#{level};2;{red};{green};{blue}")?;
    }
    for band in picture.pixels().chunks(width.max(1) * BAND) {
        let mut here = [false; 256];
        for &pixel in band {
            if let Some(here) = here.get_mut(usize::from(pixel)) {
                *here = true;
            }
        }
        for (level, _) in
            (0..=u8::MAX).zip(here.into_iter().zip(used)).filter(|(_, both)| *both == (true, true))
        {
            write!(out, "#{level}")?;
            row(band, width, level, out)?;
            // Back to the start of the band.
            out.write_all(b"$")?;
        }
        out.write_all(b"-")?;
    }
    out.write_all(b"\x1b\\\n")
}

/// Writes one colour of a band: a character for each column, with its bits from the top, and repeats as counts.
fn row(band: &[u8], width: usize, level: u8, out: &mut dyn Write) -> std::io::Result<()> {
    let (mut last, mut count) = (None, 0_usize);
    for x in 0..width {
        let bits = band.iter().skip(x).step_by(width).enumerate();
        let bits = bits.fold(0_u8, |bits, (y, &pixel)| bits | u8::from(pixel == level) << y);
        if last == Some(bits) {
            count += 1;
            continue;
        }
        run(last, count, out)?;
        (last, count) = (Some(bits), 1);
    }
    // Empty columns at the end are omitted.
    if last == Some(0) { Ok(()) } else { run(last, count, out) }
}

fn run(bits: Option<u8>, count: usize, out: &mut dyn Write) -> std::io::Result<()> {
    let Some(bits) = bits else { return Ok(()) };
    let character = char::from(b'?' + bits);
    match count {
        0..=3 => (0..count).try_for_each(|_| write!(out, "{character}")),
        _ => write!(out, "!{count}{character}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_are_drawn_colour_by_colour() {
        let mut palette = vec![[0, 0, 0]; 256];
        palette[1] = [255, 0, 0];
        // Seven rows of five: one of level 1, the others of level 0.
        let pixels = [vec![1; 5], vec![0; 30]].concat();
        let picture = Picture::new(5, 7, pixels, palette).unwrap();
        let mut out = Vec::new();
        draw(&picture, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "\x1bPq\"1;1;5;7#0;2;0;0;0#1;2;100;0;0#0!5}$#1!5@$-#0!5@$-\x1b\\\n"
        );
    }
}
