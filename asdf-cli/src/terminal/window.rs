//! The size of the terminal.

/// The size of a terminal in characters, and of a character in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    #[cfg_attr(not(feature = "picture"), allow(dead_code, reason = "for pictures"))]
    pub(crate) cell: (usize, usize),
}

/// The default size of most terminals.
const USUAL: Window = Window { columns: 80, rows: 24, cell: (8, 16) };

impl Window {
    /// Returns the window of standard output. Values that it does not report are from COLUMNS and LINES, or the
    /// default.
    pub(crate) fn of_terminal() -> Self {
        let number =
            |name: &str| std::env::var(name).ok()?.parse::<usize>().ok().filter(|n| (1..10_000).contains(n));
        let said = said();
        Self {
            columns: said.map(|said| said.columns).or_else(|| number("COLUMNS")).unwrap_or(USUAL.columns),
            rows: said.map(|said| said.rows).or_else(|| number("LINES")).unwrap_or(USUAL.rows),
            cell: said.map_or(USUAL.cell, |said| said.cell),
        }
    }
}

#[cfg(unix)]
fn said() -> Option<Window> {
    let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
    let (columns, rows) = (usize::from(size.ws_col), usize::from(size.ws_row));
    if columns == 0 || rows == 0 {
        return None;
    }
    let cell = (usize::from(size.ws_xpixel) / columns, usize::from(size.ws_ypixel) / rows);
    // Many terminals do not report pixels.
    let cell = if cell.0 > 0 && cell.1 > 0 { cell } else { USUAL.cell };
    Some(Window { columns, rows, cell })
}

#[cfg(not(unix))]
fn said() -> Option<Window> {
    None
}
