//! Reads units, one per line, and describes each, for `tests/interop/units.py`: the rules by which it was read (`strict`
//! or `lenient`), the canonical text, the scale, and the base units with their powers, separated by tabs.

use std::io::{BufRead, Write};

use asdf_units::Unit;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let (rules, unit) = match Unit::parse(&line) {
            Ok(unit) => ("strict", unit),
            Err(_) => ("lenient", Unit::parse_lenient(&line)),
        };
        write!(out, "{rules}\t{unit}\t{:e}", unit.scale().to_f64())?;
        if let Ok(dimension) = unit.dimension() {
            for (base, power) in dimension.bases() {
                write!(out, "\t{} {power}", base.symbol())?;
            }
            for (other, power) in dimension.others() {
                write!(out, "\t{other} {power}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
