//! Pictures drawn with characters.

use std::io::Write;

use asdf_picture::Picture;

/// The number of colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    True,
    Palette,
}

/// Returns the number of colours that environment variables report.
pub(super) fn depth() -> Depth {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (colours, term) = (variable("COLORTERM"), variable("TERM"));
    let many = ["truecolor", "24bit"].contains(&colours.as_str()) || term.contains("direct");
    if many { Depth::True } else { Depth::Palette }
}

/// Draws two pixels per character: the upper one in the foreground colour, the lower one in the background colour.
pub(super) fn draw(picture: &Picture, depth: Depth, out: &mut dyn Write) -> std::io::Result<()> {
    let pixels: Vec<[u8; 3]> = picture.pixels().iter().map(|&level| picture.colour(level)).collect();
    draw_colours(&pixels, picture.width(), depth, out)
}

/// Draws pixels of red, green and blue, two per character.
pub(super) fn draw_colours(
    pixels: &[[u8; 3]],
    width: usize,
    depth: Depth,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let rows: Vec<&[[u8; 3]]> = pixels.chunks_exact(width.max(1)).collect();
    for pair in rows.chunks(2) {
        let (upper, lower) = match *pair {
            [upper, lower] => (upper, Some(lower)),
            [upper] => (upper, None),
            _ => continue,
        };
        let mut before = None;
        for (x, &above) in upper.iter().enumerate() {
            let below = lower.and_then(|lower| lower.get(x)).copied();
            if before != Some((above, below)) {
                write!(out, "\x1b[38;{}", colour(above, depth))?;
                match below {
                    Some(below) => write!(out, ";48;{}m", colour(below, depth))?,
                    None => out.write_all(b";49m")?,
                }
                before = Some((above, below));
            }
            out.write_all("▀".as_bytes())?;
        }
        out.write_all(b"\x1b[0m\n")?;
    }
    Ok(())
}

fn colour([red, green, blue]: [u8; 3], depth: Depth) -> String {
    match depth {
        Depth::True => format!("2;{red};{green};{blue}"),
        // A cube with six levels of each colour, and grays.
        Depth::Palette if red == green && green == blue && (5..=241).contains(&red) => {
            format!("5;{}", 232 + (u16::from(red) - 5) / 10)
        }
        Depth::Palette => {
            let level = |part: u8| match part {
                0..=47 => 0,
                48..=114 => 1,
                _ => (u16::from(part) - 35) / 40,
            };
            format!("5;{}", 16 + 36 * level(red) + 6 * level(green) + level(blue))
        }
    }
}

/// Draws two pixels per character by their brightness. Those without a value are `x`, marked ones
/// are `o`, and lines over the image are `~`.
pub(super) fn characters(picture: &Picture, out: &mut dyn Write) -> std::io::Result<()> {
    const RAMP: [char; 10] = [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'];
    let light = |level: u8| {
        let [red, green, blue] = picture.colour(level).map(u32::from);
        (299 * red + 587 * green + 114 * blue) / 1000
    };
    let rows: Vec<&[u8]> = picture.rows().collect();
    for pair in rows.chunks(2) {
        let mut line = String::new();
        for x in 0..picture.width() {
            let both: Vec<u8> = pair.iter().filter_map(|row| row.get(x)).copied().collect();
            if picture.has_marks() && both.contains(&Picture::MARK) {
                line.push('o');
                continue;
            }
            if picture.has_grid() && both.contains(&Picture::GRID) {
                line.push('~');
                continue;
            }
            let seen: Vec<u32> =
                both.iter().filter(|&&level| level != Picture::NO_VALUE).map(|&level| light(level)).collect();
            let mean = match u32::try_from(seen.len()) {
                Ok(count @ 1..) => seen.iter().sum::<u32>() / count,
                _ => {
                    line.push('x');
                    continue;
                }
            };
            line.push(RAMP.get((mean * 10 / 256) as usize).copied().unwrap_or(' '));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        let mut palette: Vec<[u8; 3]> = (0..=255).map(|level| [level; 3]).collect();
        palette[255] = [255, 0, 0];
        Picture::new(2, 3, vec![0, 0, 254, 254, 128, 255], palette).unwrap()
    }

    #[test]
    fn colours_are_written_when_they_change() {
        let drawn = |depth| {
            let mut out = Vec::new();
            draw(&picture(), depth, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            drawn(Depth::True),
            "\x1b[38;2;0;0;0;48;2;254;254;254m▀▀\x1b[0m\n\x1b[38;2;128;128;128;49m▀\x1b[38;2;255;0;0;49m▀\x1b[0m\n"
        );
        assert_eq!(
            drawn(Depth::Palette),
            "\x1b[38;5;16;48;5;231m▀▀\x1b[0m\n\x1b[38;5;244;49m▀\x1b[38;5;196;49m▀\x1b[0m\n"
        );
    }

    #[test]
    fn characters_are_as_bright_as_pixels() {
        let mut out = Vec::new();
        characters(&picture(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "==\n+x\n");
    }
}
