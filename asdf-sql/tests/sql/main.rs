//! Queries over files: as a library, with the program, and on a cluster.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "the numbers are small")]

#[path = "../../examples/archive.rs"]
mod archive;
mod chapter;
mod cluster;
mod columns;
mod files;
mod functions;
mod library;
mod program;
mod requests;
mod tables;
mod web;
