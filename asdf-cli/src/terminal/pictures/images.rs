//! Terminals that show PNG: the protocols of kitty and iTerm2.

use std::io::Write;

use asdf_core::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::outcome::output;

/// Draws a PNG picture in pieces of at most 4096 characters, and asks for no answer.
pub(super) fn kitty(png: &[u8], out: &mut dyn Write) -> Result<()> {
    const PIECE: usize = 4096;
    let text = STANDARD.encode(png);
    let mut rest = text.as_str();
    let mut head = "a=T,f=100,q=2,";
    while !rest.is_empty() {
        let (piece, after) = rest.split_at_checked(PIECE).unwrap_or((rest, ""));
        rest = after;
        let more = u8::from(!rest.is_empty());
        write!(out, "\x1b_G{head}m={more};{piece}\x1b\\").map_err(output)?;
        head = "";
    }
    writeln!(out).map_err(output)
}

pub(super) fn iterm(png: &[u8], (width, height): (usize, usize), out: &mut dyn Write) -> Result<()> {
    let text = STANDARD.encode(png);
    writeln!(
        out,
        "\x1b]1337;File=inline=1;width={width}px;height={height}px;preserveAspectRatio=1:{text}\x07"
    )
    .map_err(output)
}
