//! Prints the places of Rust files that mutants can change, one a line: the kind, then byte offsets.

use std::ops::Range;

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

/// The bytes from the first token to the last one.
fn bytes(tokens: &impl ToTokens) -> Range<usize> {
    let spans: Vec<Span> = tokens.to_token_stream().into_iter().map(|token: TokenTree| token.span()).collect();
    let (first, last) = (spans.first(), spans.last());
    first.map_or(0, |span| span.byte_range().start)..last.map_or(0, |span| span.byte_range().end)
}

fn print(kind: &str, ranges: &[Range<usize>]) {
    let numbers: Vec<String> = ranges.iter().map(|range| format!("{} {}", range.start, range.end)).collect();
    println!("{kind} {}", numbers.join(" "));
}

struct Places;

impl<'ast> Visit<'ast> for Places {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        print("block", &[bytes(block)]);
        visit::visit_block(self, block);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        print("binary", &[bytes(&binary.op), bytes(&binary.left), bytes(&binary.right)]);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        print("unary", &[bytes(&unary.op), bytes(&unary.expr)]);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        match &arm.pat {
            syn::Pat::Guard(guarded) => print("arm", &[bytes(arm), bytes(&guarded.pat), bytes(&guarded.guard)]),
            pattern => print("arm", &[bytes(arm), bytes(pattern)]),
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_match(&mut self, whole: &'ast syn::ExprMatch) {
        for arm in &whole.arms {
            print("match", &[bytes(arm), bytes(whole)]);
        }
        visit::visit_expr_match(self, whole);
    }

    fn visit_expr_struct(&mut self, whole: &'ast syn::ExprStruct) {
        for field in &whole.fields {
            print("field", &[bytes(field), bytes(whole)]);
        }
        visit::visit_expr_struct(self, whole);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        println!("file {path}");
        Places.visit_file(&syn::parse_file(&std::fs::read_to_string(path)?)?);
    }
    Ok(())
}
