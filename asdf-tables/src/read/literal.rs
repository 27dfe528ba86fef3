//! Parses the part of Python's syntax that numpy uses in headers.

use asdf_core::{Error, Result};

/// A value in Python's syntax.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Bool(bool),
    Int(u64),
    Text(String),
    /// A list or a tuple.
    List(Vec<Literal>),
    Dict(Vec<(String, Literal)>),
}

/// The maximum depth of nested values.
const MAX_DEPTH: usize = 32;

/// Parses one value. Only blanks can follow it.
pub(super) fn parse(text: &str) -> Result<Literal> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.skip_blanks();
    if reader.at < text.len() { Err(reader.wrong("the end")) } else { Ok(value) }
}

impl Literal {
    /// Returns the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Dict(entries) => entries.iter().find(|(own, _)| own == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the numbers of a tuple; `None` if it has other items.
    pub(super) fn numbers(&self) -> Option<Vec<u64>> {
        match self {
            Self::Int(number) => Some(vec![*number]),
            Self::List(items) => items
                .iter()
                .map(|item| match item {
                    Self::Int(number) => Some(*number),
                    _ => None,
                })
                .collect(),
            _ => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips a punctuation mark. Returns whether it was next.
    fn passes(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let is = self.rest().starts_with(sign);
        if is {
            self.at += sign.len();
        }
        is
    }

    fn wrong(&self, expected: &str) -> Error {
        let found: String = self.rest().chars().take(20).collect();
        Error::malformed(format!("found '{}' in the header, expected {expected}", found.escape_debug()))
            .at_offset(self.at as u64)
    }

    fn value(&mut self, depth: usize) -> Result<Literal> {
        if depth > MAX_DEPTH {
            return Err(Error::limit(format!("the header nests deeper than {MAX_DEPTH} levels")));
        }
        self.skip_blanks();
        match self.rest().chars().next() {
            Some('{') => self.dict(depth),
            Some('[') => self.list("[", "]", depth),
            Some('(') => self.list("(", ")", depth),
            Some('\'' | '"') => self.string().map(Literal::Text),
            Some('0'..='9') => {
                let digits: String = self.rest().chars().take_while(char::is_ascii_digit).collect();
                let number = digits.parse().map_err(|_| self.wrong("a number of 64 bits"))?;
                self.at += digits.len();
                // Python 2 wrote an `L` after some integers.
                self.passes("L");
                Ok(Literal::Int(number))
            }
            _ if self.passes("True") => Ok(Literal::Bool(true)),
            _ if self.passes("False") => Ok(Literal::Bool(false)),
            _ => Err(self.wrong("a value")),
        }
    }

    fn list(&mut self, open: &str, close: &str, depth: usize) -> Result<Literal> {
        self.passes(open);
        let mut items = Vec::new();
        while !self.passes(close) {
            items.push(self.value(depth + 1)?);
            if !self.passes(",") {
                if self.passes(close) {
                    break;
                }
                return Err(self.wrong("a comma"));
            }
        }
        Ok(Literal::List(items))
    }

    fn dict(&mut self, depth: usize) -> Result<Literal> {
        self.passes("{");
        let mut entries = Vec::new();
        while !self.passes("}") {
            let key = self.string()?;
            if !self.passes(":") {
                return Err(self.wrong("a colon"));
            }
            entries.push((key, self.value(depth + 1)?));
            if !self.passes(",") {
                if self.passes("}") {
                    break;
                }
                return Err(self.wrong("a comma"));
            }
        }
        Ok(Literal::Dict(entries))
    }

    fn string(&mut self) -> Result<String> {
        self.skip_blanks();
        let quote = self.rest().chars().next().filter(|c| matches!(c, '\'' | '"'));
        let quote = quote.ok_or_else(|| self.wrong("a text"))?;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => {
                    let code = |digits: usize, characters: &mut dyn Iterator<Item = (usize, char)>| {
                        let digits: String = characters.take(digits).map(|(_, c)| c).collect();
                        u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
                    };
                    let escaped = match characters.next().map(|(_, c)| c) {
                        Some('n') => Some('\n'),
                        Some('r') => Some('\r'),
                        Some('t') => Some('\t'),
                        Some('x') => code(2, &mut characters),
                        Some('u') => code(4, &mut characters),
                        Some('U') => code(8, &mut characters),
                        Some(c @ ('\\' | '\'' | '"')) => Some(c),
                        _ => None,
                    };
                    text.push(escaped.ok_or_else(|| self.wrong("a text of known escapes"))?);
                }
                end if end == quote => {
                    self.at += at + 1;
                    return Ok(text);
                }
                other => text.push(other),
            }
        }
        Err(self.wrong("a text that ends"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        let header = parse(
            "{'descr': [('a\\'b', '<f4', (2,)), (\"c\", '|S3')], 'fortran_order': False, 'shape': (3, 4L), } \n",
        );
        let header = header.unwrap();
        assert_eq!(header.get("fortran_order"), Some(&Literal::Bool(false)));
        assert_eq!(header.get("shape").unwrap().numbers(), Some(vec![3, 4]));
        let Some(Literal::List(fields)) = header.get("descr") else { panic!("{header:?}") };
        let text = |text: &str| Literal::Text(text.to_owned());
        assert_eq!(
            fields[0],
            Literal::List(vec![text("a'b"), text("<f4"), Literal::List(vec![Literal::Int(2)])])
        );
        assert_eq!(parse("()").unwrap().numbers(), Some(vec![]));
        assert_eq!(parse("'\\x41\\u00e9\\U0001f31f'").unwrap(), text("Aé🌟"));
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in
            ["", "{", "{'a'}", "{'a': }", "'a", "[1 2]", "1 2", "-1", "None", "'\\q'", "99999999999999999999"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
    }
}
