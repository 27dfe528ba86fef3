//! Draws the axes around a picture: a frame with ticks, a title and labels.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "positions in a picture: from 0 to its size"
)]

use crate::font::Font;
use crate::picture::Picture;
use crate::signs::{LINE, PAPER, TEXT};

/// The texts around a picture. The fonts have the characters of Latin-1.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Labels {
    /// The title, such as the path of the array.
    pub title: String,
    /// The unit of the elements.
    pub unit: Option<String>,
    /// The label of the horizontal axis, with its unit.
    pub x: Option<String>,
}

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Area {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

/// The position of a tick on an axis, from 0 to 1, and its label.
pub(crate) type Mark = (f64, String);

/// The space that axes take on each side.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Margins {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) top: usize,
    pub(crate) bottom: usize,
}

/// The texts around a picture and their font.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    title: &'a str,
    /// The text above the vertical axis.
    above: Option<&'a str>,
    /// The text below the horizontal axis.
    below: Option<&'a str>,
    pub(crate) font: Font,
}

impl<'a> Frame<'a> {
    /// Creates a frame for a picture of this width.
    pub(crate) fn new(labels: &'a Labels, above: Option<&'a str>, width: usize) -> Self {
        Self { title: &labels.title, above, below: labels.x.as_deref(), font: Font::for_width(width) }
    }

    fn gap(self) -> usize {
        self.font.height() / 4
    }

    fn tick(self) -> usize {
        self.font.height() / 3
    }

    /// Returns the number of ticks that fit along a side, if each label has `characters` characters.
    pub(crate) fn max_ticks(self, side: usize, characters: usize) -> usize {
        (side / ((characters + 2) * self.font.advance())).clamp(1, 10)
    }

    /// Returns the space around a picture. The labels of its vertical axis have up to `characters` characters.
    pub(crate) fn margins(self, characters: usize) -> Margins {
        let (line, gap) = (self.font.height(), self.gap());
        let more = |text: Option<&str>| if text.is_some() { line + gap } else { 0 };
        Margins {
            left: gap + characters * self.font.advance() + gap + self.tick() + 1,
            right: 2 * self.font.advance(),
            top: gap + line + gap + more(self.above) + 1,
            bottom: 1 + self.tick() + gap + line + gap + more(self.below),
        }
    }

    /// Returns the space that a colour bar needs at the right, with its unit above.
    pub(crate) fn bar_margins(self, marks: &[Mark], unit: Option<&str>) -> Margins {
        let (line, gap) = (self.font.height(), self.gap());
        let numbers = marks.iter().map(|(_, label)| self.font.width(label)).max().unwrap_or(0);
        let beside = line + self.tick() + gap + numbers;
        let above = unit.map_or(0, |unit| self.font.width(unit));
        Margins {
            left: 0,
            right: line + beside.max(above) + 2 * gap,
            top: if unit.is_some() { 2 * gap + line + 1 } else { line / 2 + 1 },
            bottom: line / 2 + 1,
        }
    }

    /// Draws a colour bar at the right of an area, from level 0 at the bottom to `top`, with its unit above.
    pub(crate) fn draw_bar(
        self,
        picture: &mut Picture,
        area: Area,
        marks: &[Mark],
        unit: Option<&str>,
        top: u8,
    ) {
        let (line, gap, tick) = (self.font.height(), self.gap(), self.tick());
        let left = area.x + area.width + line;
        // The ends of the bar can be as light as the background, so the bar needs an outline.
        for down in 0..area.height + 2 {
            (left - 1..=left + line).for_each(|x| picture.set(x, area.y + down - 1, LINE));
        }
        for down in 0..area.height {
            let up = 1.0 - down as f64 / area.height.saturating_sub(1).max(1) as f64;
            let level = (up * f64::from(top)).round() as u8;
            (0..line).for_each(|along| picture.set(left + along, area.y + down, level));
        }
        let mut free = picture.height;
        for (place, label) in marks {
            let row = area.y + pixel(1.0 - place, area.height);
            (0..tick).for_each(|along| picture.set(left + line + along, row, LINE));
            let up = row.saturating_sub(line / 2);
            if up + line <= free {
                self.font.write(picture, label, (left + line + tick + gap, up), TEXT);
                free = up;
            }
        }
        if let Some(unit) = unit {
            self.font.write(picture, unit, (left, area.y.saturating_sub(line + gap)), TEXT);
        }
    }

    /// Draws the frame around an area, with the ticks counted from the left and from the bottom.
    pub(crate) fn draw(self, picture: &mut Picture, area: Area, x: &[Mark], y: &[Mark]) {
        let (line, gap, tick) = (self.font.height(), self.gap(), self.tick());
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        for row in area.y - 1..=bottom {
            picture.set(area.x - 1, row, LINE);
            picture.set(right, row, LINE);
        }
        for column in area.x - 1..=right {
            picture.set(column, area.y - 1, LINE);
            picture.set(column, bottom, LINE);
        }
        let mut free = 0;
        for (place, label) in x {
            let column = area.x + pixel(*place, area.width);
            (1..=tick).for_each(|down| picture.set(column, bottom + down, LINE));
            let width = self.font.width(label);
            let left = column.saturating_sub(width / 2).min(picture.width.saturating_sub(width));
            if left >= free {
                self.font.write(picture, label, (left, bottom + tick + gap), TEXT);
                free = left + width + self.font.advance();
            }
        }
        let mut free = picture.height;
        for (place, label) in y {
            let row = area.y + pixel(1.0 - place, area.height);
            (2..2 + tick).for_each(|along| picture.set((area.x).saturating_sub(along), row, LINE));
            let up = row.saturating_sub(line / 2);
            if up + line <= free {
                let left = area.x.saturating_sub(1 + tick + gap + self.font.width(label));
                self.font.write(picture, label, (left, up), TEXT);
                free = up;
            }
        }
        self.words(picture, area);
    }

    fn words(self, picture: &mut Picture, area: Area) {
        let (line, gap) = (self.font.height(), self.gap());
        let width = picture.width;
        let mut centred = |text: &str, middle: usize, y: usize| {
            let text = self.font.fitted(text, width);
            let own = self.font.width(&text);
            let x = middle.saturating_sub(own / 2).min(width.saturating_sub(own));
            self.font.write(picture, &text, (x, y), TEXT);
        };
        let middle = area.x + area.width / 2;
        centred(self.title, middle, gap);
        if let Some(text) = self.above {
            centred(text, area.x, gap + line + gap);
        }
        if let Some(text) = self.below {
            let tick = self.tick();
            centred(text, middle, area.y + area.height + 1 + tick + gap + line + gap);
        }
    }
}

impl Picture {
    /// Creates an empty picture of this size, with palette levels for text and frames.
    pub(crate) fn sheet(width: usize, height: usize, palette: Vec<[u8; 3]>, is_transparent: bool) -> Self {
        let pixels = vec![PAPER; width * height];
        Self { width, height, pixels, palette, is_transparent, has_marks: false, has_grid: false }
    }

    /// Copies another picture into this one, with its upper left corner at a position.
    pub(crate) fn paste(&mut self, other: &Self, (x, y): (usize, usize)) {
        for (down, row) in other.rows().enumerate() {
            let start = (y + down) * self.width + x;
            if let Some(pixels) = self.pixels.get_mut(start..start + row.len()) {
                pixels.copy_from_slice(row);
            }
        }
    }

    /// Sets the level of a pixel. Positions outside the picture are ignored.
    pub(crate) fn set(&mut self, x: usize, y: usize, level: u8) {
        if x < self.width {
            if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
                *pixel = level;
            }
        }
    }
}

/// Returns the pixel at a position from 0 to 1.
fn pixel(place: f64, side: usize) -> usize {
    (place * side.saturating_sub(1) as f64).round() as usize
}
