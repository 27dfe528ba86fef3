//! An item of `#[asdf(...)]`: a name with an optional value or list.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Expr, ExprArray, ExprLit, ExprTuple, Ident, Lit, LitStr, Path, Token, Type, UnOp, bracketed,
    parenthesized,
};

/// A name with its value or list.
pub(crate) struct Item {
    pub(crate) name: Ident,
    value: Value,
}

enum Value {
    /// `extra`
    None,
    /// `rename = "key"`
    Is(Expr),
    /// `check(...)`
    List(Vec<Item>),
}

/// A number in an attribute.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Int(i128),
    Float(f64),
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Ident::peek_any) {
            return Err(input.error("expected the name of an attribute, such as `rename = \"key\"`"));
        }
        let name = Ident::parse_any(input)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Err(syn::Error::new(name.span(), format!("`{name} =` needs a value")));
            }
            Value::Is(literals(input).map_or_else(|| input.parse(), Ok)?)
        } else if input.peek(syn::token::Paren) {
            let content;
            parenthesized!(content in input);
            Value::List(Punctuated::<Self, Token![,]>::parse_terminated(&content)?.into_iter().collect())
        } else {
            Value::None
        };
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("expected `,` before the next attribute"));
        }
        Ok(Self { name, value })
    }
}

/// Parses a literal, or a list or tuple of literals, if the value is nothing else. Most values are of this form, and
/// `syn` would look for every operator around each literal.
fn literals(input: ParseStream<'_>) -> Option<Expr> {
    let ahead = input.fork();
    let value = part(&ahead).ok().filter(|_| ahead.is_empty() || ahead.peek(Token![,]))?;
    input.advance_to(&ahead);
    Some(value)
}

fn part(input: ParseStream<'_>) -> syn::Result<Expr> {
    let content;
    if input.peek(syn::token::Bracket) {
        let bracket_token = bracketed!(content in input);
        let elems = content.parse_terminated(part, Token![,])?;
        return Ok(Expr::Array(ExprArray { attrs: Vec::new(), bracket_token, elems }));
    }
    if input.peek(syn::token::Paren) {
        let paren_token = parenthesized!(content in input);
        let elems = content.parse_terminated(part, Token![,])?;
        return match elems.len() {
            0 | 1 => Err(content.error("expected a tuple of two or more values")),
            _ => Ok(Expr::Tuple(ExprTuple { attrs: Vec::new(), paren_token, elems })),
        };
    }
    // A minus sign is an operator, and not part of the literal.
    if input.peek(Token![-]) {
        return Err(input.error("expected a literal"));
    }
    Ok(Expr::Lit(ExprLit { attrs: Vec::new(), lit: input.parse()? }))
}

impl Item {
    pub(crate) fn span(&self) -> Span {
        self.name.span()
    }

    fn wrong<T>(&self, expected: impl Display) -> syn::Result<T> {
        let message = format!("expected {expected}");
        Err(match &self.value {
            Value::Is(expr) => syn::Error::new_spanned(expr, message),
            _ => syn::Error::new(self.span(), message),
        })
    }

    /// The value, without the invisible group around a value that was passed through a `macro_rules` variable.
    pub(crate) fn value(&self) -> Option<&Expr> {
        match &self.value {
            Value::Is(expr) => Some(ungrouped(expr)),
            _ => None,
        }
    }

    fn literal(&self) -> Option<&Lit> {
        self.value().and_then(literal)
    }

    /// Whether the item is a name without a value.
    pub(crate) fn is_flag(&self) -> bool {
        matches!(self.value, Value::None)
    }

    /// Parses `name` without a value.
    pub(crate) fn flag(&self) -> syn::Result<()> {
        if self.is_flag() { Ok(()) } else { self.wrong(format_args!("`{}` without a value", self.name)) }
    }

    /// Parses `name = "text"`.
    pub(crate) fn string(&self) -> syn::Result<LitStr> {
        match self.literal() {
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => self.wrong(format_args!("a string: `{} = \"...\"`", self.name)),
        }
    }

    /// Parses `name = value` into an expression that adds the value to `tree` as a node.
    pub(crate) fn node(&self) -> syn::Result<TokenStream> {
        match self.value() {
            Some(expr) => node(expr),
            None => self.wrong(format_args!("a value: `{} = 0`", self.name)),
        }
    }

    /// Parses `name = ["text", ...]`.
    pub(crate) fn strings(&self) -> syn::Result<Vec<LitStr>> {
        let Some(Expr::Array(array)) = self.value() else {
            return self.wrong(format_args!("a list of strings: `{} = [\"...\", \"...\"]`", self.name));
        };
        let strings = array.elems.iter().map(|element| match literal(element) {
            Some(Lit::Str(text)) => Ok(text.clone()),
            _ => Err(syn::Error::new_spanned(element, "expected a string")),
        });
        strings.collect()
    }

    /// Parses `name = [("text", "text", "text"), ...]`.
    pub(crate) fn triples(&self) -> syn::Result<Vec<[LitStr; 3]>> {
        let form = format!("a list: `{} = [(\"property\", \"keyword\", \"value\"), ...]`", self.name);
        let Some(Expr::Array(array)) = self.value() else { return self.wrong(form) };
        let triples = array.elems.iter().map(|element| {
            let Expr::Tuple(tuple) = ungrouped(element) else {
                return Err(syn::Error::new_spanned(element, format!("expected {form}")));
            };
            let texts: Vec<LitStr> = tuple
                .elems
                .iter()
                .filter_map(|part| match literal(part) {
                    Some(Lit::Str(text)) => Some(text.clone()),
                    _ => None,
                })
                .collect();
            let fault = |_| syn::Error::new_spanned(element, "expected three strings");
            if texts.len() == tuple.elems.len() { texts.try_into().map_err(fault) } else { Err(fault(texts)) }
        });
        triples.collect()
    }

    /// Parses `name = [["path", "keyword", "value", ...], ...]`.
    pub(crate) fn rows(&self) -> syn::Result<Vec<Vec<LitStr>>> {
        let form = format!("a list of lists: `{} = [[\"path\", \"keyword\", \"value\"], ...]`", self.name);
        let Some(Expr::Array(array)) = self.value() else { return self.wrong(form) };
        let row = |row: &Expr| {
            let Expr::Array(row) = ungrouped(row) else {
                return Err(syn::Error::new_spanned(row, format!("expected {form}")));
            };
            let text = |part: &Expr| match literal(part) {
                Some(Lit::Str(text)) => Ok(text.clone()),
                _ => Err(syn::Error::new_spanned(part, "expected a string")),
            };
            row.elems.iter().map(text).collect()
        };
        array.elems.iter().map(row).collect()
    }

    /// Parses `name = a::path`.
    pub(crate) fn path(&self) -> syn::Result<Path> {
        match self.value() {
            Some(Expr::Path(path)) if path.qself.is_none() => Ok(path.path.clone()),
            _ => self.wrong(format_args!("a path, without quotes: `{} = path::to::module`", self.name)),
        }
    }

    /// Parses `name = [a::Path, ...]`.
    pub(crate) fn paths(&self) -> syn::Result<Vec<Path>> {
        let Some(Expr::Array(array)) = self.value() else {
            return self.wrong(format_args!("a list of types: `{} = [v1_0::Name]`", self.name));
        };
        let paths = array.elems.iter().map(|element| match ungrouped(element) {
            Expr::Path(path) if path.qself.is_none() => Ok(path.path.clone()),
            other => Err(syn::Error::new_spanned(other, "expected the path of a type")),
        });
        paths.collect()
    }

    /// Parses `name = "a::path"`. The path is quoted because `crate` alone is not an expression.
    pub(crate) fn quoted_path(&self) -> syn::Result<Path> {
        let text = self.string()?;
        let wrong = |_| {
            syn::Error::new_spanned(&text, "expected a path in quotes, such as \"::asdf_core\" or \"crate\"")
        };
        text.parse_with(Path::parse_mod_style).map_err(wrong)
    }

    /// Parses `name = "Type"`.
    pub(crate) fn quoted_type(&self) -> syn::Result<Type> {
        let text = self.string()?;
        let wrong = |_| {
            syn::Error::new_spanned(&text, format!("expected a type in quotes: `{} = \"f64\"`", self.name))
        };
        text.parse().map_err(wrong)
    }

    /// Parses a count: `name = 5`.
    pub(crate) fn size(&self) -> syn::Result<usize> {
        let size = match self.literal() {
            Some(Lit::Int(value)) => value.base10_parse().ok(),
            _ => None,
        };
        size.map_or_else(|| self.wrong(format_args!("a non-negative integer: `{} = 5`", self.name)), Ok)
    }

    /// Parses a number: `name = -1.5`.
    pub(crate) fn number(&self) -> syn::Result<Number> {
        self.value()
            .and_then(signed)
            .map_or_else(|| self.wrong(format_args!("a number: `{} = 1.5`", self.name)), Ok)
    }

    /// Parses numbers: `name = [-1, 1.5]`.
    pub(crate) fn numbers(&self) -> syn::Result<Vec<Number>> {
        let Some(Expr::Array(array)) = self.value() else {
            return self.wrong(format_args!("a list of numbers: `{} = [1, 2]`", self.name));
        };
        let one = |element: &Expr| {
            signed(ungrouped(element)).ok_or_else(|| syn::Error::new_spanned(element, "expected a number"))
        };
        array.elems.iter().map(one).collect()
    }

    /// Parses `name(...)`.
    pub(crate) fn list(self) -> syn::Result<Vec<Self>> {
        match self.value {
            Value::List(items) => Ok(items),
            _ => self.wrong(format_args!("a list: `{}(...)`", self.name)),
        }
    }
}

fn ungrouped(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

fn literal(expr: &Expr) -> Option<&Lit> {
    match ungrouped(expr) {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// A number with an optional minus sign.
fn signed(expr: &Expr) -> Option<Number> {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => number(&unary.expr, true),
        expr => number(expr, false),
    }
}

fn number(expr: &Expr, negative: bool) -> Option<Number> {
    match literal(expr)? {
        Lit::Int(value) => {
            let value: i128 = value.base10_parse().ok()?;
            Some(Number::Int(if negative { -value } else { value }))
        }
        Lit::Float(value) => {
            let value: f64 = value.base10_parse().ok()?;
            let value = if negative { -value } else { value };
            value.is_finite().then_some(Number::Float(value))
        }
        _ => None,
    }
}

/// The expression that adds a literal to `tree` as a node.
fn node(expr: &Expr) -> syn::Result<TokenStream> {
    let at = Span::mixed_site();
    let expected = "expected a string, a number, a boolean, a list of these in brackets, or {}";
    let wrong = || Err(syn::Error::new_spanned(expr, expected));
    let integer = |number: TokenStream| {
        quote_spanned!(at=> {
            let value: __asdf::i128 = #number;
            tree.add_int(value)
        })
    };
    Ok(match ungrouped(expr) {
        Expr::Array(array) => {
            let items = array.elems.iter().map(node).collect::<syn::Result<Vec<_>>>()?;
            quote_spanned!(at=> {
                let items = [#(#items),*];
                tree.add_sequence(items)
            })
        }
        Expr::Block(block) if block.block.stmts.is_empty() => quote_spanned!(at=> tree.add_mapping([])),
        Expr::Unary(minus) if matches!(minus.op, UnOp::Neg(_)) => match literal(&minus.expr) {
            Some(Lit::Int(number)) => integer(quote_spanned!(at=> -#number)),
            Some(Lit::Float(number)) => quote_spanned!(at=> tree.add_float(-#number)),
            _ => return wrong(),
        },
        value => match literal(value) {
            Some(Lit::Str(text)) => quote_spanned!(at=> tree.add_str(#text)),
            Some(Lit::Bool(flag)) => quote_spanned!(at=> tree.add_bool(#flag)),
            Some(Lit::Int(number)) => integer(quote_spanned!(at=> #number)),
            Some(Lit::Float(number)) => quote_spanned!(at=> tree.add_float(#number)),
            _ => return wrong(),
        },
    })
}
