//! The pixels of pictures that `asdf preview` writes.

#![cfg(feature = "picture")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::Command;

/// A picture in red, green and blue, with the top row first.
struct Decoded {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Decoded {
    fn of(path: &Path) -> Self {
        let mut decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!(info.color_type, png::ColorType::Rgb);
        Self { width: info.width as usize, height: info.height as usize, bytes }
    }

    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        self.bytes[(y * self.width + x) * 3..][..3].try_into().unwrap()
    }

    /// Returns the position of the first pixel of a colour, from the left of the top row.
    fn first(&self, colour: [u8; 3]) -> Option<(usize, usize)> {
        (0..self.height)
            .flat_map(|y| (0..self.width).map(move |x| (x, y)))
            .find(|&(x, y)| self.at(x, y) == colour)
    }
}

const LINE: [u8; 3] = [128; 3];
const TEXT: [u8; 3] = [40; 3];

/// The result of `make_lupton_rgb(red, green, blue, minimum=0, stretch=5, Q=8)` of astropy 8.0.2 for the three images.
const ASTROPY: [[u8; 3]; 4] = [[0, 0, 0], [49, 24, 12], [92, 37, 166], [255, 127, 0]];

const TREE: &str = "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
data: !core/ndarray-1.1.0 {data: [[0.0, 10.0], [20.0, 30.0]], datatype: float32}
dq: !core/ndarray-1.1.0 {data: [[0, 1], [4, 0]], datatype: uint32}
flux: !unit/quantity-1.2.0
  unit: !unit/unit-1.0.0 Jy
  value: !core/ndarray-1.1.0 {data: [0.0, 1.0, 0.0], datatype: float64}
red: !core/ndarray-1.1.0 {data: [[0.0, 1.0], [5.0, 1000.0]], datatype: float64}
green: !core/ndarray-1.1.0 {data: [[0.0, 0.5], [2.0, 500.0]], datatype: float64}
blue: !core/ndarray-1.1.0 {data: [[-1.0, 0.25], [9.0, -3.0]], datatype: float64}
time: !core/ndarray-1.1.0 {data: [0.0, 9.0, 10.0], datatype: float64}
...
";

/// Returns the picture that `asdf preview` writes with these arguments.
fn preview(arguments: &[&str]) -> Decoded {
    preview_of(TREE, arguments)
}

/// Returns the picture of a file with this text.
fn preview_of(tree: &str, arguments: &[&str]) -> Decoded {
    let folder = tempfile::tempdir().unwrap();
    let (file, picture) = (folder.path().join("a.asdf"), folder.path().join("a.png"));
    std::fs::write(&file, tree).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_asdf"))
        .arg("preview")
        .arg(&file)
        .args(arguments)
        .arg("-o")
        .arg(&picture)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    Decoded::of(&picture)
}

#[test]
fn flags_are_drawn_over_an_image() {
    let plain = preview(&["--path", "data", "--size", "2", "--limits", "minmax"]);
    assert_eq!(
        [plain.at(0, 0), plain.at(1, 0), plain.at(0, 1), plain.at(1, 1)],
        [[170; 3], [255; 3], [0; 3], [85; 3]]
    );
    let any = preview(&["--path", "data", "--size", "2", "--limits", "minmax", "--overlay", "dq"]);
    assert_eq!(
        [any.at(0, 0), any.at(1, 0), any.at(0, 1), any.at(1, 1)],
        [[255, 0, 0], [255; 3], [0; 3], [255, 0, 0]]
    );
    let bit =
        preview(&["--path", "data", "--size", "2", "--limits", "minmax", "--overlay", "dq", "--bits", "2"]);
    assert_eq!((bit.at(0, 0), bit.at(1, 1)), ([255, 0, 0], [85; 3]));
}

#[test]
fn axes_and_colours_are_around_an_image() {
    let picture =
        preview(&["--path", "data", "--size", "200x120", "--limits", "minmax", "--axes", "--colorbar"]);
    assert!(picture.width <= 200 && picture.height <= 120);
    let (left, top) = picture.first(LINE).unwrap();
    // The frame is one pixel wide. The lower left element of the image is the darkest one.
    assert_eq!(picture.at(left + 1, top + 1), [170; 3]);
    let bottom = (top + 1..picture.height).find(|&y| picture.at(left + 3, y) == LINE).unwrap();
    assert_eq!(picture.at(left + 1, bottom - 1), [0; 3]);
    let right = (left + 1..picture.width).find(|&x| picture.at(x, bottom - 1) == LINE).unwrap();
    // The bar goes from the first colour at the bottom to the last one at the top.
    let bar = (right + 1..picture.width).find(|&x| picture.at(x, bottom - 1) == [0; 3]).unwrap();
    assert_eq!((picture.at(bar, bottom - 1), picture.at(bar, top + 1)), ([0; 3], [255; 3]));
    assert!(picture.first(TEXT).is_some());
}

#[test]
fn three_images_become_one_in_colour() {
    let picture =
        preview(&["--rgb", "red,green,blue", "--limits", "0,5", "--size", "full", "--origin", "top"]);
    let pixels = [0, 1, 2, 3].map(|at| picture.at(at % 2, at / 2));
    assert_eq!(pixels, ASTROPY);
}

#[test]
fn lines_are_plotted_over_the_numbers_of_x() {
    let picture = preview(&["--path", "flux", "--x", "time", "--size", "300x150"]);
    assert_eq!((picture.width, picture.height), (300, 150));
    let (left, top) = picture.first(LINE).unwrap();
    let right = (left..picture.width).take_while(|&x| picture.at(x, top) == LINE).last().unwrap();
    // The peak is at nine tenths of the axis.
    let peak = (left + 1..right).find(|&x| picture.at(x, top + 1) == [31, 78, 156]).unwrap();
    let expected = left + 1 + (right - left - 2) * 9 / 10;
    assert!(peak.abs_diff(expected) <= 2, "{peak} is not {expected}");
}

/// The colour of lines over a gray image.
#[cfg(feature = "wcs")]
const GRID: [u8; 3] = [40, 190, 255];

/// A black image of 100 x 50 pixels. Right ascension is 0.0125 degrees times x, and declination 0.0125 degrees times y.
#[cfg(feature = "wcs")]
fn chart(arguments: &[&str]) -> Decoded {
    let row = format!("[{}]", ["0"; 100].join(", "));
    let rows = vec![row; 50].join(", ");
    let scale = "!transform/scale-1.4.0 {factor: 0.0125, inputs: [x], outputs: [y]}";
    let tree = format!(
        "#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
%TAG !g! tag:stsci.edu:gwcs/
--- !core/asdf-1.1.0
data: !core/ndarray-1.1.0 {{data: [{rows}], datatype: uint8}}
wcs: !g!wcs-1.4.0
  name: ''
  steps:
  - !g!step-1.3.0
    frame: pixels
    transform: !transform/concatenate-1.4.0 {{forward: [{scale}, {scale}], inputs: [a, b], outputs: [a, b]}}
  - !g!step-1.3.0
    frame: !g!celestial_frame-1.2.0
      name: sky
      axes_order: [0, 1]
      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/icrs-1.1.0> {{frame_attributes: {{}}}}
      unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]
    transform: null
...
"
    );
    let all: Vec<&str> = arguments.iter().copied().chain(["--limits", "0,1", "--size", "full"]).collect();
    preview_of(&tree, &all)
}

#[test]
#[cfg(feature = "wcs")]
fn a_grid_is_where_the_coordinates_are() {
    // Lines every minute, which are 20 pixels.
    let picture = chart(&["--grid"]);
    let columns = |picture: &Decoded, y: usize| {
        (0..picture.width).filter(|&x| picture.at(x, y) == GRID).collect::<Vec<usize>>()
    };
    assert_eq!(columns(&picture, 25), [0, 20, 40, 60, 80]);
    // Every third pixel from the right: element i is pixel 99 - 3 i. The first one reaches to pixel 100.
    let turned = chart(&["--grid", "--slice", ":, ::-3"]);
    assert_eq!(turned.width, 34);
    assert_eq!(columns(&turned, 25), [0, 6, 13, 20, 26, 33]);
}

#[test]
#[cfg(feature = "wcs")]
fn a_compass_follows_the_origin() {
    // North and east form an L. Its long side, to the north, points up or down from the row of the arrow to the east.
    let arm = |picture: &Decoded| {
        let rows = (0..picture.height).filter(|&y| (50..100).any(|x| picture.at(x, y) == GRID));
        let widest = rows.max_by_key(|&y| (50..100).filter(|&x| picture.at(x, y) == GRID).count());
        widest.unwrap()
    };
    let (up, down) = (chart(&["--compass"]), chart(&["--compass", "--origin", "top"]));
    // The row of the arrow to the east is the lower end of the compass, or the upper end.
    assert!(arm(&up) > arm(&down), "{} {}", arm(&up), arm(&down));
}
