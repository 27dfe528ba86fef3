//! How fast text becomes a tree: `cargo run --release -p asdf-benches --bin speed -- [mixed|arrays|numbers]`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "a measuring program"
)]

use std::fmt::Write as _;
use std::sync::Arc;

use asdf_core::yaml::{ParseOptions, parse_with};

const HEAD: &str = "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// Metadata of many forms: nesting, text, numbers, dates, quotes, tags, flow collections, comments.
fn mixed(bytes: usize) -> String {
    let mut text = String::from(HEAD);
    let mut n = 0usize;
    while text.len() < bytes {
        write!(
            text,
            "exposure_{n}:\n  # taken in the second night\n  observer: 'O''Neill, J.'\n  target: NGC {n}\n  \
             start: 2026-11-20 12:30:{:02}.25\n  airmass: 1.{n}\n  filters: [clear, F{}, \"broad \\u00b5\"]\n  \
             wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n    name: pipeline step {n}\n    steps:\n    - !<tag:stsci.edu:gwcs/step-1.1.0>\n      \
             frame: &f{n} !core/frame-1.0.0\n        axes_names: [lon, lat]\n        unit: [!unit/unit-1.0.0 deg, !unit/unit-1.0.0 deg]\n      \
             transform: !transform/affine-1.3.0\n        matrix: !core/ndarray-1.1.0\n          source: {n}\n          \
             datatype: float64\n          byteorder: little\n          shape: [2, 2]\n    - frame: *f{n}\n  \
             history:\n    notes: the calibration was repeated because the lamp had drifted\n    valid: true\n    retries: {}\n  \
             comment: |\n    first line of a longer remark\n    and another line of it\n",
            n % 60,
            n % 9,
            n % 4
        )
        .unwrap();
        n += 1;
    }
    text.push_str("...\n");
    text
}

fn arrays(count: usize) -> String {
    let mut text = String::from(HEAD);
    for n in 0..count {
        write!(
            text,
            "array_{n:06}: !core/ndarray-1.1.0\n  source: {n}\n  datatype: float64\n  byteorder: little\n  shape: [16, 16]\n"
        )
        .unwrap();
    }
    text.push_str("...\n");
    text
}

fn numbers(bytes: usize) -> String {
    let mut text = String::from(HEAD);
    text.push_str("data: !core/ndarray-1.1.0\n  data:");
    let (mut n, mut line) = (0u32, 1000);
    text.push_str(" [");
    while text.len() < bytes {
        if line > 75 {
            text.push_str("\n    ");
            line = 4;
        }
        let before = text.len();
        if n % 3 == 0 {
            write!(text, "{}, ", n % 100_000).unwrap();
        } else {
            write!(text, "{:.6}, ", f64::from(n) * 0.731).unwrap();
        }
        line += text.len() - before;
        n = n.wrapping_add(7);
    }
    text.push_str("0]\n...\n");
    text
}

fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("0 0");
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<usize>().ok()).unwrap_or(0) * 1024
}

/// Seconds of processor time of this thread, which other processes do not disturb as much as the clock's.
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() {
    let what = std::env::args().nth(1).unwrap_or_else(|| "mixed".into());
    let text: Arc<str> = match what.as_str() {
        "arrays" => arrays(10_000),
        "numbers" => numbers(20_000_000),
        "small" => mixed(5_000_000),
        _ => mixed(50_000_000),
    }
    .into();
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let base = peak();
    let rounds = (200_000_000 / text.len()).clamp(5, 200);
    let mut times = Vec::new();
    let mut nodes = 0;
    let mut high = 0;
    for _ in 0..rounds {
        let begin = cpu();
        let tree = parse_with(text.clone(), ParseOptions::default()).unwrap();
        times.push(cpu() - begin);
        nodes = tree.len();
        high = high.max(peak());
    }
    times.sort_by(f64::total_cmp);
    let rate = |time: f64| text.len() as f64 / time / 1e6;
    println!(
        "{what}: {} bytes, {nodes} nodes, median {:.0} MB/s, best {:.0} MB/s, peak {:.2} of the text beyond it (base {} MB)",
        text.len(),
        rate(times[times.len() / 2]),
        rate(times[0]),
        (high.saturating_sub(base)) as f64 / text.len() as f64,
        base / 1_000_000
    );
}
