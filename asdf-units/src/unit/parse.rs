//! The parser of VOUnit, and of a wider grammar that covers other notations.
//!
//! ```text
//! input:    [scale] product ["/" factor]          | scale | nothing
//! product:  factor ("." factor)*
//! factor:   symbol ["**" power] | name "(" [scale] product ["/" factor] ")" | "(" product ["/" factor] ")"
//! symbol:   [A-Za-z]+ | [prefix] "'" [A-Za-z]+ "'" | "%"
//! power:    [+-] digits | "(" [+-] digits ["." digits | "/" digits] ")"
//! scale:    "10" ["**" power] | a positive number such as 25.4 or 1.5e+11
//! ```

use super::Unit;
use super::nearest;
use super::symbol::{FUNCTIONS, Symbol};
use crate::error::{Error, Result};
use crate::rational::Rational;
use crate::scale::Scale;

/// The maximum length of a unit in bytes, and the maximum depth of parentheses.
const LONGEST: usize = 4096;
const DEEPEST: u32 = 32;

/// Parses VOUnit 1.1 with known symbols.
pub(crate) fn standard(text: &str) -> Result<Unit> {
    Parser { text, at: 0, lenient: false, depth: 0 }.input()
}

/// Parses other notations too.
pub(crate) fn lenient(text: &str) -> Result<Unit> {
    Parser { text, at: 0, lenient: true, depth: 0 }.input()
}

/// The functions of units in astropy. After these names, parentheses are never read as a power.
const LOGARITHMS: &[&str] = &["mag", "dB", "dex", "log", "ln", "exp"];

/// Returns the digit or sign of a superscript character.
fn superscript(raised: char) -> Option<char> {
    Some(match raised {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        '⁺' => '+',
        '⁻' => '-',
        _ => return None,
    })
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    lenient: bool,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn input(mut self) -> Result<Unit> {
        if self.text.len() > LONGEST {
            return Err(Error::new(format!("found a unit of {} bytes", self.text.len()))
                .at(self.text, 0)
                .with_hint(format!("shorten it to {LONGEST} bytes or less")));
        }
        self.blanks();
        if self.rest().is_empty() {
            return Ok(Unit::one());
        }
        let unit = self.expression()?;
        match self.rest().chars().next() {
            None => Ok(unit),
            Some(found) => Err(self.unexpected(found)),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn eat(&mut self, what: &str) -> bool {
        let found = self.rest().starts_with(what);
        if found {
            self.at += what.len();
        }
        found
    }

    /// Takes the characters of a kind from the start of the remaining text.
    fn take(&mut self, kind: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !kind(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn blanks(&mut self) -> bool {
        self.lenient && !self.take(char::is_whitespace).is_empty()
    }

    fn error(&self, message: impl Into<String>) -> Error {
        Error::new(message).at(self.text, self.at)
    }

    fn unexpected(&self, found: char) -> Error {
        let hint = match found {
            ' ' | '\t' => "write '.' between factors; VOUnit has no spaces",
            '*' => "write '.' between factors and '**' before powers",
            '^' => "write '**' before powers",
            '/' => "write one '/' with one factor after it, or negative powers: m.s**-1.kg**-1",
            '.' if self.text.contains('/') => "put several factors after '/' in parentheses: m/(s.kg)",
            '0'..='9' => "write '**' before powers and parentheses around fractions: m**2, m**(1/2)",
            ')' => "add the missing '(', or remove this ')'",
            _ => "write a unit such as km, m.s**-2 or MJy/sr",
        };
        self.error(format!("unexpected '{}'", found.escape_debug())).with_hint(hint)
    }

    /// Parses an expression with an optional scale, in parentheses or alone.
    fn expression(&mut self) -> Result<Unit> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(format!("parentheses nest deeper than {DEEPEST} levels")));
        }
        let start = self.at;
        let unit = if self.lenient { self.chain() } else { self.product() };
        self.depth -= 1;
        unit?.in_range().map_err(|error| {
            error.at(self.text, start).with_hint("write smaller powers and factors that are nearer to 1")
        })
    }

    fn product(&mut self) -> Result<Unit> {
        let scale = self.scale()?;
        let mut unit = Unit::of_scale(scale.unwrap_or(Scale::ONE));
        if scale.is_some() && matches!(self.peek(), None | Some(')')) {
            return Ok(unit);
        }
        loop {
            let factor = self.factor()?;
            unit = self.combine(&unit, &factor)?;
            if !self.eat(".") {
                break;
            }
        }
        if self.eat("/") {
            let divisor = self.factor()?;
            unit = self.combine(&unit, &self.inverse(&divisor)?)?;
        }
        Ok(unit)
    }

    /// Parses factors from left to right with any operator between them.
    fn chain(&mut self) -> Result<Unit> {
        let mut unit = Unit::one();
        let mut first = true;
        loop {
            let blanks = self.blanks();
            let divided = self.eat("/");
            let joined = divided || (!first && (self.eat(".") || self.eat("*")));
            self.blanks();
            if !joined && matches!(self.peek(), None | Some(')')) && !first {
                return Ok(unit);
            }
            // After a number no operator is needed: 25.4mm.
            if !first && !joined && !blanks && !self.follows_number() {
                return match self.peek() {
                    Some(found) => Err(self.unexpected(found)),
                    None => Ok(unit),
                };
            }
            let factor = match self.scale()? {
                Some(scale) => Unit::of_scale(scale),
                None => self.factor()?,
            };
            let factor = if divided { self.inverse(&factor)? } else { factor };
            unit = self.combine(&unit, &factor)?;
            first = false;
        }
    }

    fn follows_number(&self) -> bool {
        let before = self.text.get(..self.at).unwrap_or_default();
        before.ends_with(|c: char| c.is_ascii_digit() || c == ')')
    }

    fn combine(&self, unit: &Unit, factor: &Unit) -> Result<Unit> {
        unit.times(factor).map_err(|error| error.at(self.text, self.at))
    }

    fn inverse(&self, unit: &Unit) -> Result<Unit> {
        unit.raised(Rational::from(-1)).map_err(|error| error.at(self.text, self.at))
    }

    fn factor(&mut self) -> Result<Unit> {
        let start = self.at;
        if self.eat("(") {
            let unit = self.expression()?;
            self.close()?;
            return if self.lenient { self.raised(unit) } else { Ok(unit) };
        }
        if self.lenient && self.eat("°") {
            let name = if self.eat("C") { "deg_C" } else { "deg" };
            return self
                .raised(Symbol::find(name, true).map_or_else(|| Unit::unknown(name), Unit::of_symbol));
        }
        if self.eat("%") {
            return Symbol::find("%", false)
                .map(Unit::of_symbol)
                .map_or_else(|| Ok(Unit::one()), |unit| self.raised(unit));
        }
        let lenient = self.lenient;
        let name = self.take(|c| {
            c.is_ascii_alphabetic() || (lenient && (c == '_' || !c.is_ascii() && c.is_alphabetic()))
        });
        if self.eat("'") {
            return self.quoted(name, start);
        }
        if name.is_empty() {
            return Err(match self.peek() {
                None => self.error("found the end of the text, expected a unit"),
                Some(found) => self.unexpected(found),
            });
        }
        // Astropy writes m(3/2) for m**(3/2).
        let is_power = self.lenient && !LOGARITHMS.contains(&name) && name != "sqrt" && self.is_power();
        if !is_power && self.eat("(") {
            return self.function(name, start);
        }
        match Symbol::find(name, self.lenient) {
            Some(symbol) => self.raised(Unit::of_symbol(symbol)),
            None if self.lenient => self.raised(Unit::unknown(name)),
            None => {
                let error = Error::new(format!("unknown unit '{name}'")).at(self.text, start);
                let hint = nearest::spelling(name).unwrap_or_else(|| {
                    format!(
                        r#"put an unknown unit in quotes that are part of it: '{name}', in YAML "'{name}'""#
                    )
                });
                Err(error.with_hint(hint))
            }
        }
    }

    /// Parses an unknown unit after its opening quote.
    fn quoted(&mut self, prefix: &str, start: usize) -> Result<Unit> {
        let mut name = String::new();
        loop {
            name.push_str(self.take(|c| c != '\''));
            if !self.eat("'") {
                return Err(Error::new("the quote is not closed").at(self.text, start));
            }
            if !(self.lenient && self.eat("'")) {
                break;
            }
            name.push('\'');
        }
        if name.is_empty() || !(self.lenient || name.chars().all(|c| c.is_ascii_alphabetic())) {
            return Err(Error::new(format!("found '{}' in quotes", name.escape_debug()))
                .at(self.text, start)
                .with_hint("use only letters between quotes"));
        }
        match Symbol::unknown(prefix, &name) {
            Some(symbol) => self.raised(Unit::of_symbol(symbol)),
            None => Err(Error::new(format!("unknown prefix '{prefix}'"))
                .at(self.text, start)
                .with_hint("write a prefix of the SI before the quote, such as k or m")),
        }
    }

    /// Parses a function after its opening parenthesis.
    fn function(&mut self, name: &str, start: usize) -> Result<Unit> {
        if !self.lenient && name != "sqrt" && !FUNCTIONS.contains(&name) {
            return Err(Error::new(format!("unknown function '{name}'"))
                .at(self.text, start)
                .with_hint("use sqrt, log, ln or exp, or write '.' for a product"));
        }
        let operand = self.expression()?;
        self.close()?;
        if operand.factors.is_empty() && name != "sqrt" && !LOGARITHMS.contains(&name) {
            // It would be printed as a power: pix(5).
            return Err(Error::new(format!(
                "found the function '{name}' of a number, expected a unit in it"
            ))
            .at(self.text, start)
            .with_hint("write '**' before a power"));
        }
        let unit = if name == "sqrt" {
            operand.raised(Rational::new(1, 2)?).map_err(|error| error.at(self.text, start))?
        } else {
            Unit::of_symbol(Symbol::function(name, operand))
        };
        if self.lenient { self.raised(unit) } else { Ok(unit) }
    }

    fn close(&mut self) -> Result<()> {
        self.blanks();
        if self.eat(")") {
            return Ok(());
        }
        Err(match self.peek() {
            None => self.error("found the end of the text, expected ')'"),
            Some(found) => self.unexpected(found),
        })
    }

    /// Applies the power after a unit, if there is one.
    fn raised(&mut self, unit: Unit) -> Result<Unit> {
        let start = self.at;
        let has_sign = self.eat("**") || (self.lenient && self.eat("^"));
        let power = if has_sign || (self.lenient && self.is_power()) {
            self.power()?
        } else if self.lenient && self.rest().starts_with(|c| superscript(c).is_some()) {
            let raised = self.take(|c| superscript(c).is_some());
            let text: String = raised.chars().filter_map(superscript).collect();
            let power = text.parse().map_err(|_| Error::new("expected a power").at(self.text, start))?;
            Rational::new(power, 1).map_err(|error| error.at(self.text, start))?
        } else if self.lenient {
            let sign = self.rest().strip_prefix(['+', '-']).unwrap_or(self.rest());
            if !sign.starts_with(|c: char| c.is_ascii_digit()) {
                return Ok(unit);
            }
            self.integer()?
        } else {
            return Ok(unit);
        };
        unit.raised(power).map_err(|error| error.at(self.text, start))
    }

    /// Returns true if a number in parentheses follows.
    fn is_power(&self) -> bool {
        let inside = self.rest().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        inside.is_some_and(|(inside, _)| {
            inside.contains(|c: char| c.is_ascii_digit())
                && inside.chars().all(|c| c.is_ascii_digit() || " +-./".contains(c))
        })
    }

    fn power(&mut self) -> Result<Rational> {
        if self.eat("(") {
            self.blanks();
            let power = self.number_of_power()?;
            self.blanks();
            self.close()?;
            return Ok(power);
        }
        if self.lenient { self.number_of_power() } else { self.integer() }
    }

    fn number_of_power(&mut self) -> Result<Rational> {
        let start = self.at;
        let whole = self.integer()?;
        if self.rest().starts_with('.')
            && self.rest().get(1..2).is_some_and(|next| next.bytes().all(|b| b.is_ascii_digit()))
        {
            self.eat(".");
            self.take(|c| c.is_ascii_digit());
            let text = self.text.get(start..self.at).unwrap_or_default();
            return Rational::from_decimal(text).map_err(|error| error.at(self.text, start));
        }
        // Without parentheses, a slash divides the unit and not the power.
        let inside = self.text.get(..start).is_some_and(|before| before.trim_end().ends_with('('));
        if inside && self.eat("/") {
            let below = self.integer()?;
            return Rational::new(whole.numerator().into(), below.numerator().into())
                .map_err(|error| error.at(self.text, start));
        }
        Ok(whole)
    }

    fn integer(&mut self) -> Result<Rational> {
        let start = self.at;
        if !self.eat("-") {
            self.eat("+");
        }
        let digits = self.take(|c| c.is_ascii_digit());
        let text = self.text.get(start..self.at).unwrap_or_default();
        if digits.is_empty() {
            return Err(self
                .error("expected a power")
                .with_hint("write a power such as 2, -1, (1/2) or (0.5)"));
        }
        let value: i64 = text
            .parse()
            .map_err(|_| Error::new(format!("the power {text} is too large")).at(self.text, start))?;
        Rational::new(value, 1).map_err(|error| error.at(self.text, start))
    }

    /// Parses a number at the start, if there is one.
    fn scale(&mut self) -> Result<Option<Scale>> {
        let start = self.at;
        if !self.peek().is_some_and(|c| c.is_ascii_digit() || (self.lenient && c == '.')) {
            return Ok(None);
        }
        let whole = self.take(|c| c.is_ascii_digit());
        let is_ten = whole == "10";
        if is_ten && (self.eat("**") || (self.lenient && self.eat("^"))) {
            let power = self.power()?;
            return Ok(Some(Scale::new(1, 1, 1, 0).power(power)));
        }
        if is_ten && self.lenient && self.rest().starts_with(['+', '-']) {
            // The notation of FITS: 10-3.
            let power = self.integer()?;
            return Ok(Some(Scale::new(1, 1, 1, 0).power(power)));
        }
        let mut fraction = "";
        let next_is_digit = |text: &str| text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
        if self.rest().starts_with('.') && (next_is_digit(self.rest()) || (self.lenient && !whole.is_empty()))
        {
            self.at += 1;
            fraction = self.take(|c| c.is_ascii_digit());
        }
        let exponent = self.exponent();
        let text = self.text.get(start..self.at).unwrap_or_default();
        let bad = |why: &str| Error::new(format!("the factor {text} {why}")).at(self.text, start);
        if whole.starts_with('0') && whole.len() > 1 && !self.lenient {
            return Err(bad("must not begin with a zero"));
        }
        let digits = format!("{whole}{fraction}");
        if digits.bytes().all(|b| b == b'0') {
            return Err(bad("must not be zero"));
        }
        let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        let ten =
            exponent.filter(|ten| ten.abs() <= 400).ok_or_else(|| bad("is out of range for a double"))?;
        Ok(Some(match digits.parse::<u128>() {
            Ok(number) => Scale::new(number, 1, ten.saturating_sub(places), 0),
            Err(_) => Scale::near(text.parse().map_err(|_| bad("is not a number"))?),
        }))
    }

    /// Parses the exponent of a number. Returns 0 if there is none, and `None` if it is too large. The `e` of a unit
    /// (`2eV`, `5Em`) is not an exponent.
    fn exponent(&mut self) -> Option<i32> {
        let rest = self.rest();
        let Some(after) = rest.strip_prefix(['e', 'E']) else { return Some(0) };
        let digits = after.strip_prefix(['+', '-']).unwrap_or(after);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(0);
        }
        self.at += rest.len() - digits.len();
        let digits = self.take(|c| c.is_ascii_digit());
        let size: i32 = digits.parse().ok()?;
        Some(if after.starts_with('-') { -size } else { size })
    }
}
