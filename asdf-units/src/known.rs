//! The table of known units.
//!
//! It has the symbols of table 3 of [VOUnit 1.1](https://www.ivoa.net/documents/VOUnits/), which include those of 1.0,
//! and other symbols that programs in astronomy write. Only `Unit::parse_lenient` reads the latter. Measured constants
//! are from CODATA 2022 and IAU 2015.

use crate::dimension::Base;
use crate::dimension::Base::{Ampere, Candela, Counted, Kelvin, Kilogram, Metre, Mole, Radian, Second};
use crate::scale::Scale;

/// A known unit: a symbol and its definition.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) symbol: &'static str,
    /// The symbol to print, if the unit has several.
    pub(crate) preferred: &'static str,
    pub(crate) bases: &'static [(Base, i8)],
    pub(crate) si: bool,
    pub(crate) binary: bool,
    pub(crate) deprecated: bool,
    /// Whether the symbol is not part of VOUnit.
    pub(crate) foreign: bool,
    numerator: u64,
    denominator: u64,
    ten: i32,
    pi: i32,
}

impl Known {
    pub(crate) fn scale(&self) -> Scale {
        Scale::new(self.numerator.into(), self.denominator.into(), self.ten, self.pi)
    }

    const fn is(mut self, numerator: u64, denominator: u64, ten: i32) -> Self {
        self.numerator = numerator;
        self.denominator = denominator;
        self.ten = ten;
        self
    }

    const fn pi(mut self, power: i32) -> Self {
        self.pi = power;
        self
    }

    const fn printed(mut self, symbol: &'static str) -> Self {
        self.preferred = symbol;
        self
    }

    const fn si(mut self) -> Self {
        self.si = true;
        self
    }

    const fn binary(mut self) -> Self {
        self.binary = true;
        self
    }

    const fn deprecated(mut self) -> Self {
        self.deprecated = true;
        self
    }

    const fn foreign(mut self) -> Self {
        self.foreign = true;
        self
    }
}

const fn unit(symbol: &'static str, bases: &'static [(Base, i8)]) -> Known {
    Known {
        symbol,
        preferred: symbol,
        bases,
        si: false,
        binary: false,
        deprecated: false,
        foreign: false,
        numerator: 1,
        denominator: 1,
        ten: 0,
        pi: 0,
    }
}

const NUMBER: &[(Base, i8)] = &[];
const LENGTH: &[(Base, i8)] = &[(Metre, 1)];
const AREA: &[(Base, i8)] = &[(Metre, 2)];
const VOLUME: &[(Base, i8)] = &[(Metre, 3)];
const MASS: &[(Base, i8)] = &[(Kilogram, 1)];
const TIME: &[(Base, i8)] = &[(Second, 1)];
const FREQUENCY: &[(Base, i8)] = &[(Second, -1)];
const ANGLE: &[(Base, i8)] = &[(Radian, 1)];
const SOLID_ANGLE: &[(Base, i8)] = &[(Radian, 2)];
const FORCE: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 1), (Second, -2)];
const PRESSURE: &[(Base, i8)] = &[(Kilogram, 1), (Metre, -1), (Second, -2)];
const ENERGY: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -2)];
const POWER: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -3)];
const CHARGE: &[(Base, i8)] = &[(Ampere, 1), (Second, 1)];
const DIPOLE: &[(Base, i8)] = &[(Ampere, 1), (Second, 1), (Metre, 1)];
const VOLTAGE: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -3), (Ampere, -1)];
const CONDUCTANCE: &[(Base, i8)] = &[(Kilogram, -1), (Metre, -2), (Second, 3), (Ampere, 2)];
const CAPACITANCE: &[(Base, i8)] = &[(Kilogram, -1), (Metre, -2), (Second, 4), (Ampere, 2)];
const RESISTANCE: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -3), (Ampere, -2)];
const FLUX: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -2), (Ampere, -1)];
const FIELD: &[(Base, i8)] = &[(Kilogram, 1), (Second, -2), (Ampere, -1)];
const INDUCTANCE: &[(Base, i8)] = &[(Kilogram, 1), (Metre, 2), (Second, -2), (Ampere, -2)];
const LUMINOUS_FLUX: &[(Base, i8)] = &[(Candela, 1), (Radian, 2)];
const ILLUMINANCE: &[(Base, i8)] = &[(Candela, 1), (Radian, 2), (Metre, -2)];
const FLUX_DENSITY: &[(Base, i8)] = &[(Kilogram, 1), (Second, -2)];
const EMISSION: &[(Base, i8)] = &[(Counted("photon"), 1), (Metre, -2), (Second, -1), (Radian, -2)];
const VISCOSITY: &[(Base, i8)] = &[(Kilogram, 1), (Metre, -1), (Second, -1)];
const SPREADING: &[(Base, i8)] = &[(Metre, 2), (Second, -1)];
const ACCELERATION: &[(Base, i8)] = &[(Metre, 1), (Second, -2)];
const WAVE_NUMBER: &[(Base, i8)] = &[(Metre, -1)];
const CATALYSIS: &[(Base, i8)] = &[(Mole, 1), (Second, -1)];
const INFORMATION: &[(Base, i8)] = &[(Counted("bit"), 1)];
const DOSE: &[(Base, i8)] = &[(Metre, 2), (Second, -2)];
const MAGNETIZATION: &[(Base, i8)] = &[(Ampere, 1), (Metre, -1)];
const PHOTON: &[(Base, i8)] = &[(Counted("photon"), 1)];
const COUNT: &[(Base, i8)] = &[(Counted("count"), 1)];
const PIXEL: &[(Base, i8)] = &[(Counted("pixel"), 1)];
const VOXEL: &[(Base, i8)] = &[(Counted("voxel"), 1)];
const RATIO: &[(Base, i8)] = &[(Counted("dex"), 1)];
const DATA_NUMBER: &[(Base, i8)] = &[(Counted("DN"), 1)];
const MAGGY: &[(Base, i8)] = &[(Counted("mgy"), 1)];

/// All known units. Each symbol occurs once.
pub(crate) static KNOWN: &[Known] = &[
    // Base units and derived units of the SI.
    unit("m", LENGTH).si(),
    unit("g", MASS).is(1, 1, -3).si(),
    unit("s", TIME).si(),
    unit("A", &[(Ampere, 1)]).si(),
    unit("K", &[(Kelvin, 1)]).si(),
    unit("mol", &[(Mole, 1)]).si(),
    unit("cd", &[(Candela, 1)]).si(),
    unit("rad", ANGLE).si(),
    unit("sr", SOLID_ANGLE).si(),
    unit("Hz", FREQUENCY).si(),
    unit("N", FORCE).si(),
    unit("Pa", PRESSURE).si(),
    unit("J", ENERGY).si(),
    unit("W", POWER).si(),
    unit("C", CHARGE).si(),
    unit("V", VOLTAGE).si(),
    unit("S", CONDUCTANCE).si(),
    unit("F", CAPACITANCE).si(),
    unit("Ohm", RESISTANCE).si(),
    unit("Wb", FLUX).si(),
    unit("T", FIELD).si(),
    unit("H", INDUCTANCE).si(),
    unit("lm", LUMINOUS_FLUX).si(),
    unit("lx", ILLUMINANCE).si(),
    // Times and angles.
    unit("min", TIME).is(60, 1, 0).si(),
    unit("h", TIME).is(3600, 1, 0).si(),
    unit("d", TIME).is(86_400, 1, 0).si(),
    unit("yr", TIME).is(31_557_600, 1, 0).si(),
    unit("a", TIME).is(31_557_600, 1, 0).si().printed("yr"),
    // The Besselian and tropical years of 365.242198781 and 365.24219 days.
    unit("Ba", TIME).is(365_242_198_781 * 864, 1, -7).deprecated(),
    unit("ta", TIME).is(36_524_219 * 864, 1, -3).deprecated(),
    unit("deg", ANGLE).is(1, 180, 0).pi(1).si(),
    unit("arcmin", ANGLE).is(1, 10_800, 0).pi(1).si(),
    unit("arcsec", ANGLE).is(1, 648_000, 0).pi(1).si(),
    unit("mas", ANGLE).is(1, 648_000, -3).pi(1),
    // Lengths, masses, energies.
    unit("AU", LENGTH).is(149_597_870_700, 1, 0),
    unit("au", LENGTH).is(149_597_870_700, 1, 0).printed("AU"),
    unit("pc", LENGTH).is(149_597_870_700 * 648_000, 1, 0).pi(-1).si(),
    unit("lyr", LENGTH).is(9_460_730_472_580_800, 1, 0).si(),
    unit("Angstrom", LENGTH).is(1, 1, -10).deprecated(),
    unit("angstrom", LENGTH).is(1, 1, -10).deprecated().printed("Angstrom"),
    unit("solRad", LENGTH).is(6957, 1, 5).si(),
    unit("barn", AREA).is(1, 1, -28).si().deprecated(),
    unit("u", MASS).is(166_053_906_892, 1, -38).si(),
    // The solar mass parameter GM, fixed by the IAU, divided by the constant of gravitation.
    unit("solMass", MASS).is(13_271_244, 66_743, 28).si(),
    unit("solLum", POWER).is(3828, 1, 23).si(),
    unit("eV", ENERGY).is(1_602_176_634, 1, -28).si(),
    unit("erg", ENERGY).is(1, 1, -7).si().deprecated(),
    unit("Ry", ENERGY).is(21_798_723_611_030, 1, -31).si(),
    unit("G", FIELD).is(1, 1, -4).si().deprecated(),
    // 10**-18 statC.cm.
    unit("D", DIPOLE).is(1, 299_792_458, -21).si(),
    unit("Jy", FLUX_DENSITY).is(1, 1, -26).si(),
    unit("R", EMISSION).is(1, 4, 10).pi(-1).si(),
    // Units with their own dimension.
    unit("%", NUMBER).is(1, 1, -2),
    unit("Sun", &[(Counted("Sun"), 1)]),
    unit("mag", &[(Counted("mag"), 1)]).si(),
    unit("dB", RATIO).is(1, 1, -1),
    unit("adu", &[(Counted("adu"), 1)]).si(),
    unit("beam", &[(Counted("beam"), 1)]).si(),
    unit("bin", &[(Counted("bin"), 1)]).si(),
    unit("chan", &[(Counted("chan"), 1)]).si(),
    unit("count", COUNT).si(),
    unit("ct", COUNT).si().printed("count"),
    unit("photon", PHOTON).si(),
    unit("ph", PHOTON).si().printed("photon"),
    unit("pixel", PIXEL).si(),
    unit("pix", PIXEL).si().printed("pixel"),
    unit("voxel", VOXEL).si(),
    unit("bit", INFORMATION).si().binary(),
    unit("byte", INFORMATION).is(8, 1, 0).si().binary(),
    unit("B", INFORMATION).is(8, 1, 0).si().binary().printed("byte"),
    // Units of other notations.
    unit("electron", &[(Counted("electron"), 1)]).si().foreign(),
    unit("DN", DATA_NUMBER).foreign(),
    unit("dn", DATA_NUMBER).foreign().printed("DN"),
    unit("dex", RATIO).foreign(),
    unit("mgy", MAGGY).si().foreign(),
    unit("deg_C", &[(Counted("deg_C"), 1)]).foreign(),
    unit("cycle", ANGLE).is(2, 1, 0).pi(1).foreign(),
    unit("hourangle", ANGLE).is(1, 12, 0).pi(1).foreign(),
    unit("spat", SOLID_ANGLE).is(4, 1, 0).pi(1).foreign(),
    unit("wk", TIME).is(604_800, 1, 0).foreign(),
    unit("fortnight", TIME).is(1_209_600, 1, 0).foreign(),
    unit("sday", TIME).is(8_616_409_053, 1, -5).foreign(),
    unit("lsec", LENGTH).is(299_792_458, 1, 0).foreign(),
    unit("earthRad", LENGTH).is(63_781, 1, 2).foreign(),
    unit("jupiterRad", LENGTH).is(71_492, 1, 3).foreign(),
    unit("earthMass", MASS).is(3_986_004, 66_743, 23).foreign(),
    unit("jupiterMass", MASS).is(12_668_653, 66_743, 25).foreign(),
    unit("M_e", MASS).is(91_093_837_139, 1, -41).foreign(),
    unit("M_p", MASS).is(167_262_192_595, 1, -38).foreign(),
    unit("t", MASS).is(1, 1, 3).foreign(),
    unit("l", VOLUME).is(1, 1, -3).si().foreign(),
    unit("bar", PRESSURE).is(1, 1, 5).si().foreign(),
    unit("Torr", PRESSURE).is(101_325, 760, 0).foreign(),
    unit("dyn", FORCE).is(1, 1, -5).si().foreign(),
    unit("St", SPREADING).is(1, 1, -4).foreign(),
    unit("P", VISCOSITY).is(1, 1, -1).foreign(),
    unit("Gal", ACCELERATION).is(1, 1, -2).si().foreign(),
    unit("kayser", WAVE_NUMBER).is(1, 1, 2).foreign(),
    unit("kat", CATALYSIS).si().foreign(),
    unit("Bq", FREQUENCY).si().foreign(),
    unit("Ci", FREQUENCY).is(37, 1, 9).foreign(),
    unit("Gy", DOSE).si().foreign(),
    unit("Sv", DOSE).si().foreign(),
    unit("Mx", FLUX).is(1, 1, -8).si().foreign(),
    unit("Oe", MAGNETIZATION).is(1, 4, 3).pi(-1).si().foreign(),
    unit("foe", ENERGY).is(1, 1, 44).si().foreign(),
    // The `Ba` and `ha` of astropy; in VOUnit they are years.
    unit("barye", PRESSURE).is(1, 1, -1).foreign(),
    unit("hectare", AREA).is(1, 1, 4).foreign(),
    unit("b", INFORMATION).si().binary().foreign().printed("bit"),
    // Zero points of magnitudes: AB and ST are 10**-19.44 and 10**-8.44 in CGS units.
    unit("AB", FLUX_DENSITY).is(36_307_805_477_010_035, 1, -39).foreign(),
    unit("ST", &[(Kilogram, 1), (Metre, -1), (Second, -3)]).is(3_630_780_547_701_003, 1, -17).foreign(),
    unit("Bol", POWER).is(30_128, 1, 24).foreign(),
    unit("bol", &[(Kilogram, 1), (Second, -3)]).is(25_180_210_026_334, 1, -21).foreign(),
];

/// Other spellings found in files, and their symbols in VOUnit.
pub(crate) static SPELLINGS: &[(&str, &str)] = &[
    ("AA", "Angstrom"),
    ("Angstroms", "Angstrom"),
    ("angstroms", "Angstrom"),
    ("micron", "um"),
    ("microns", "um"),
    ("meter", "m"),
    ("meters", "m"),
    ("metre", "m"),
    ("centimeter", "cm"),
    ("kilometer", "km"),
    ("gram", "g"),
    ("kilogram", "kg"),
    ("sec", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("minute", "min"),
    ("minutes", "min"),
    ("hr", "h"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("week", "wk"),
    ("year", "yr"),
    ("years", "yr"),
    ("degree", "deg"),
    ("degrees", "deg"),
    ("radian", "rad"),
    ("radians", "rad"),
    ("steradian", "sr"),
    ("arcminute", "arcmin"),
    ("arcsecond", "arcsec"),
    ("asec", "arcsec"),
    ("uas", "uarcsec"),
    ("ampere", "A"),
    ("volt", "V"),
    ("ohm", "Ohm"),
    ("newton", "N"),
    ("pascal", "Pa"),
    ("joule", "J"),
    ("watt", "W"),
    ("hertz", "Hz"),
    ("tesla", "T"),
    ("gauss", "G"),
    ("Gauss", "G"),
    ("jansky", "Jy"),
    ("Jansky", "Jy"),
    ("kelvin", "K"),
    ("Kelvin", "K"),
    ("Celsius", "deg_C"),
    ("parsec", "pc"),
    ("lightyear", "lyr"),
    ("rayleigh", "R"),
    ("L", "l"),
    ("liter", "l"),
    ("litre", "l"),
    ("tonne", "t"),
    ("torr", "Torr"),
    ("dyne", "dyn"),
    ("maggy", "mgy"),
    ("counts", "count"),
    ("cts", "count"),
    ("photons", "photon"),
    ("pixels", "pixel"),
    ("vox", "voxel"),
    ("electrons", "electron"),
    ("ADU", "adu"),
    ("M_sun", "solMass"),
    ("Msun", "solMass"),
    ("L_sun", "solLum"),
    ("Lsun", "solLum"),
    ("R_sun", "solRad"),
    ("Rsun", "solRad"),
    ("M_earth", "earthMass"),
    ("M_jup", "jupiterMass"),
    ("M_jupiter", "jupiterMass"),
    ("R_earth", "earthRad"),
    ("R_jup", "jupiterRad"),
    ("R_jupiter", "jupiterRad"),
    ("Da", "u"),
    ("percent", "%"),
    ("ABflux", "AB"),
    ("STflux", "ST"),
    ("L_bol", "Bol"),
    ("f_bol", "bol"),
    ("Bethe", "foe"),
    ("bethe", "foe"),
    ("gray", "Gy"),
    ("sievert", "Sv"),
    ("Maxwell", "Mx"),
    ("maxwell", "Mx"),
    ("Oersted", "Oe"),
    ("oersted", "Oe"),
    ("cy", "cycle"),
    ("gal", "Gal"),
    ("k", "kayser"),
    ("Kayser", "kayser"),
    ("sp", "spat"),
    ("stokes", "St"),
    ("katal", "kat"),
    ("annum", "yr"),
    ("poise", "P"),
    ("decibel", "dB"),
    ("candela", "cd"),
    ("coulomb", "C"),
    ("farad", "F"),
    ("Farad", "F"),
    ("henry", "H"),
    ("Henry", "H"),
    ("Hertz", "Hz"),
    ("Joule", "J"),
    ("Newton", "N"),
    ("Pascal", "Pa"),
    ("siemens", "S"),
    ("Siemens", "S"),
    ("Tesla", "T"),
    ("Volt", "V"),
    ("Watt", "W"),
    ("weber", "Wb"),
    ("Weber", "Wb"),
    ("lumen", "lm"),
    ("lux", "lx"),
    ("becquerel", "Bq"),
    ("curie", "Ci"),
    ("mole", "mol"),
    ("rydberg", "Ry"),
    ("electronvolt", "eV"),
    ("astronomical_unit", "AU"),
    ("lightsecond", "lsec"),
    ("Mearth", "earthMass"),
    ("Mjup", "jupiterMass"),
    ("Mjupiter", "jupiterMass"),
    ("Rearth", "earthRad"),
    ("Rjup", "jupiterRad"),
    ("Rjupiter", "jupiterRad"),
    ("Dalton", "u"),
    ("Barye", "barye"),
    ("Debye", "D"),
    ("debye", "D"),
    ("amp", "A"),
    ("Rayleigh", "R"),
];

/// SI prefixes as powers of ten. VOUnit deprecates `da` and `d`.
pub(crate) static DECIMAL: &[(&str, i32)] = &[
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
    ("r", -27),
    ("q", -30),
    ("da", 1),
    ("h", 2),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
    ("Z", 21),
    ("Y", 24),
    ("R", 27),
    ("Q", 30),
];

/// Prefixes written as words, for units written as words: kiloparsec.
pub(crate) static WORDS: &[(&str, &str)] = &[
    ("quecto", "q"),
    ("ronto", "r"),
    ("yocto", "y"),
    ("zepto", "z"),
    ("atto", "a"),
    ("femto", "f"),
    ("pico", "p"),
    ("nano", "n"),
    ("micro", "u"),
    ("milli", "m"),
    ("centi", "c"),
    ("deci", "d"),
    ("deca", "da"),
    ("deka", "da"),
    ("hecto", "h"),
    ("kilo", "k"),
    ("mega", "M"),
    ("giga", "G"),
    ("tera", "T"),
    ("peta", "P"),
    ("exa", "E"),
    ("zetta", "Z"),
    ("yotta", "Y"),
    ("ronna", "R"),
    ("quetta", "Q"),
];

/// Binary prefixes of bits and bytes as powers of two.
pub(crate) static BINARY: &[(&str, i32)] =
    &[("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60), ("Zi", 70), ("Yi", 80)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_occur_once_and_lead_somewhere() {
        let known = |symbol: &str| KNOWN.iter().filter(|known| known.symbol == symbol).count();
        for unit in KNOWN {
            assert_eq!(known(unit.symbol), 1, "{}", unit.symbol);
            let printed = KNOWN.iter().find(|known| known.symbol == unit.preferred).unwrap();
            assert_eq!((printed.scale(), printed.bases), (unit.scale(), unit.bases), "{}", unit.symbol);
            assert_eq!((printed.si, printed.binary), (unit.si, unit.binary), "{}", unit.symbol);
        }
        for (spelling, _) in SPELLINGS {
            assert_eq!(known(spelling), 0, "{spelling}");
            assert_eq!(SPELLINGS.iter().filter(|(other, _)| other == spelling).count(), 1, "{spelling}");
        }
    }
}
