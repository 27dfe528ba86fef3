//! Enums whose variants can all be read.

#![deny(warnings)]
#![allow(dead_code, reason = "compiling is all that is asked of them")]

use std::collections::BTreeMap;

use asdf_core::value::{Extra, Timestamp};
use asdf_core::{Asdf, Node};

#[derive(Asdf)]
#[asdf(check(minimum = 0, maximum = 1))]
pub struct Share(f64);

#[derive(Asdf)]
#[asdf(tag = "asdf://example.org/tags/gain-1.0.0")]
pub struct Gain {
    pub value: f64,
}

#[derive(Asdf)]
pub enum Numbers {
    Small(u8),
    Large(i64),
    Share(Share),
    Any(f64),
    Flag(bool),
    Text(String),
    Time(Timestamp),
    Pair([f64; 2]),
    Integers(Vec<i32>),
    Floats(Vec<f64>),
    Gain(Gain),
    Map(BTreeMap<String, f64>),
    Extra(Extra),
    Node(Node),
}

#[derive(Asdf)]
pub enum Region {
    Whole,
    Circle { radius: f64 },
    Ring { radius: f64, inner: f64 },
    Disk { radius: String },
    Named { name: Option<String> },
    Kept { radius: f64, #[asdf(extra)] others: Extra },
    Point(f64, f64),
    Solid(f64, f64, f64),
    Words(String, f64),
    Again(Vec<Region>),
}

#[derive(Asdf)]
pub enum Either<A, B> {
    One(A),
    Other(B),
}

pub type Odd = Either<f64, i32>;

#[derive(Asdf)]
pub enum Tree {
    Leaf(i64),
    Branch(Vec<Self>),
    Named { children: Vec<Tree>, parent: Option<Box<Self>> },
    Unnamed { children: Vec<Tree>, parent: Option<f64> },
}

#[derive(Asdf)]
#[asdf(key = "kind")]
pub enum Keyed {
    A { x: i32 },
    B { x: i32 },
}

#[derive(Asdf)]
#[asdf(write_only)]
pub enum Written<'a> {
    One(&'a f64),
    Two(i32),
}

fn main() {}
