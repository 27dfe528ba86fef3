"""Compares asdf-units with astropy.units: the dimensions and scales of several hundred units."""

import math
import subprocess
import sys
import warnings
from fractions import Fraction

from astropy import units

warnings.simplefilter("ignore")
PROGRAM = sys.argv[1] + "/units"

# Our names of astropy's base units.
BASES = {"ct": "count", "ph": "photon", "pix": "pixel", "vox": "voxel"}

# Known differences with reasons, for any prefix.
SYMBOL_REASONS = {
    **dict.fromkeys(["D", "Debye", "debye"], "astropy has 10/3 e-30 C.m, a rounded value; ours is 1e-21/c"),
    "mag": "astropy has -0.4 dex, our magnitudes are a separate dimension",
}
REASONS = {
    "Ba": "astropy reads the barye, VOUnit's `Ba` is the Besselian year",
    "ha": "astropy reads the hectare, VOUnit 1.1 (3.6) defines it as the hecto-year",
    "dau": "VOUnit does not define units that begin with `da`; astropy reads deci-au, but `au` does not allow a prefix",
    "dbyte": "astropy lacks the deci-byte, which VOUnit's table allows",
    "pcount": "astropy lacks the pico-count, which VOUnit's table allows",
    "pct": "astropy lacks the pico-count in VOUnit, and otherwise reads it as per cent",
    "yd": "astropy lacks the yocto-day, which VOUnit's table allows",
    "(m/s)": "astropy refuses a division in parentheses, which VOUnit's grammar has",
    "(m/s)**2": "astropy refuses a division in parentheses",
    "km / (10 s)": "astropy refuses factors that are not at the start",
    "m**0.5": "astropy requires parentheses around fractions",
    "sec": "astropy refuses it",
    "kelectron": "astropy refuses the prefix",
}

SYMBOLS = """A a adu Angstrom angstrom arcmin arcsec AU au Ba barn beam bin bit byte B C cd chan count ct d dB D
deg erg eV F g G H h Hz J Jy K lm lx lyr m mag mas min mol N Ohm Pa pc ph photon pix pixel R rad Ry s S solLum
solMass solRad sr Sun T u V voxel W Wb yr""".split()
PREFIXED = """A a adu arcmin arcsec barn beam bin bit byte B C cd chan count ct d D deg erg eV F g G H h Hz J Jy K lm
lx lyr m mag mol N Ohm Pa pc ph photon pix pixel R rad Ry s S solLum solMass solRad sr T u V voxel W Wb yr""".split()
PRODUCTS = """m/s km.s**-1 MJy/sr erg/(cm**2.s.Angstrom) W.m**-2.Hz**-1 Jy.beam**-1 m**(1/2) m**(-3/2) kg.m**2.s**-2
10**3m 25.4mm 1.898E27kg 10**-26W.m**-2.Hz**-1 sqrt(Hz) sqrt(km**2) ct.s**-1 photon.cm**-2.s**-1 mas.yr**-1
deg.pixel**-1 km.Mpc**-1.s**-1 nJy.arcsec**-2 solLum/pc**2 V/Hz**(1/2) m**(0.5) (m/s) pixel/deg K.km.s**-1
adu/photon 0.5s 10m 1m uG.pc keV/cm**3 GHz.h W/(m**2.um.sr) lm/W C/kg Pa.s T.m**2 eV.pc**-1.cm**2 arcsec**2
s**-1.m kg.m**-3 cm**-3 N/C mol.m**-3 kbyte.s**-1 Mibit/s""".split()
GENERIC = """electron electron/s DN DN/s dn dex hourangle cycle spat deg_C wk fortnight sday lsec earthRad jupiterRad
earthMass jupiterMass M_e M_p t l bar Torr dyn St P Gal kayser kat Bq Ci mgy percent pct micron uas hr sec AA Da
second meter gram hour day year degree radian arcminute arcsecond M_sun R_sun L_sun Msun M_earth M_jup R_earth
m2 s-1 m^2 km.h-1 m/s/kg voxel vox kW mbar mdyn kelectron mgy/s L_sun/pc2""".split() + [
    "erg / (cm2 s)", "km s-1", "m s^-1", "1e-10 m", "10**3 m", "W m-2 Hz-1", "1 / s", "MJy / sr", "erg s-1 cm-2 AA-1",
    "(m/s)**2", "km / (10 s)", "10^3 m", "m**0.5", "m^(1/2)", "kg m2 / s2", "ph / (s cm2)", "count / pix",
]
GENERIC += """m(3/2) m(1/3) m(0.5) µm Å Ω m² s⁻¹ °""".split() + [
    "DN / s", "electron / s", "electron / (pix s)", "1e-17 erg / (Angstrom s cm2)", "10**-17 erg / s", "km / (Mpc s)", "1 / (s cm2)", "3.16228 km(1/2)", "1 / m(1/4)",
    "2.5", "0.1 nm / pix", "1.5e+10 m", "Jy beam-1", "erg cm⁻² s⁻¹", "pix(3/2)",
]
# Functions of units, which we convert only to themselves.
FUNCTIONS = ["mag(AB)", "mag(ST)", "mag(bol)", "mag(Bol)", "mag(1)", "dB(mW)", "mag(ct / s)", "mag(erg / (Angstrom s cm2))", "dex(cm / s2)"]
# All of astropy's names without a prefix, except those of electromagnetic CGS units, whose bases have half powers.
GAUSSIAN = {"Bi", "Biot", "abA", "abampere", "abC", "abcoulomb", "Fr", "Franklin", "statcoulomb", "statC", "esu", "statA", "statampere"}
NAMES = sorted(
    name for name, unit in units.get_current_unit_registry().registry.items()
    if not isinstance(unit, units.PrefixUnit) and name not in GAUSSIAN
)
PREFIXES = "d c m u n p f a z y da h k M G T P E Z Y".split()


def ours(texts):
    """Returns the rules, text, scale and bases of each unit."""
    run = subprocess.run([PROGRAM], input="\n".join(texts), capture_output=True, text=True, check=True)
    for line in run.stdout.splitlines():
        rules, text, scale, *bases = line.split("\t")
        powers = {base.rpartition(" ")[0]: Fraction(base.rpartition(" ")[2]) for base in bases}
        yield rules, text, float(scale), powers


def theirs(text, kind):
    """Returns scale and bases; None if astropy refuses the text."""
    try:
        found = units.Unit(text, format=kind).decompose()
    except (ValueError, TypeError):
        return None
    names = [BASES.get(str(base), str(base)) for base in found.bases]
    powers = {name: Fraction(power).limit_denominator(100) for name, power in zip(names, found.powers)}
    return found.scale, powers


def main():
    texts = [(text, "vounit") for text in SYMBOLS + PRODUCTS]
    texts += [(prefix + text, "vounit") for prefix in PREFIXES for text in PREFIXED]
    texts += [(prefix + text, "vounit") for prefix in "Ki Mi Gi Ti Pi Ei Zi Yi".split() for text in ("bit", "byte", "B")]
    texts += [(text, "generic") for text in GENERIC]
    texts += [(text, "generic") for text in NAMES if text not in {text for text, _ in texts}]
    same, explained, failed = 0, {}, []
    for (text, kind), (rules, canonical, scale, powers) in zip(texts, ours(text for text, _ in texts)):
        expected = theirs(text, kind)
        fault = None
        if rules != "strict" and kind == "vounit":
            fault = "we refuse it"
        elif expected is None:
            fault = f"astropy refuses it; here {scale} {powers}"
        elif powers != expected[1] or not math.isclose(scale, expected[0], rel_tol=1e-11):
            fault = f"{scale} {powers}, astropy {expected[0]} {expected[1]}"
        elif kind == "vounit" and theirs(canonical, "vounit") is None and theirs(canonical, "generic") is None:
            fault = f"astropy does not read {canonical}, our form of it"
        if fault is None:
            same += 1
            continue
        symbol = next((why for name, why in SYMBOL_REASONS.items() if text.removesuffix(name) in ["", *PREFIXES]), None)
        reason = REASONS.get(text, symbol)
        if reason is None:
            failed.append(f"{text!r} ({kind}): {fault}")
        else:
            explained.setdefault(reason, []).append(text)
    for text, (_, _, scale, powers) in zip(FUNCTIONS, ours(FUNCTIONS)):
        (function, power), expected = next(iter(powers.items())), units.Unit(text).physical_unit
        name, _, inner = function.removesuffix(")").partition("(")
        found = next(iter(ours([inner])))
        wanted = theirs(expected.to_string(), "generic")
        if (scale, power, name) != (1, 1, text.partition("(")[0]) or found[3] != wanted[1] or not math.isclose(found[2], wanted[0], rel_tol=1e-11):
            failed.append(f"{text!r}: {scale} {powers}")
    for reason, cases in explained.items():
        print(f"  {len(cases)} of {len(texts)} units differ: {reason}")
    print(f"units: {same} of {len(texts)} equal astropy's, {len(texts) - same - len(failed)} known differences")
    if failed:
        sys.exit("\n".join(failed))


main()
