//! Tests of files, trees and types through the public API.

mod arrays;
mod codecs;
mod comparing;
mod editing;
mod error_codes;
mod extensions;
mod features;
mod folders;
mod forms;
mod layouts;
mod reading;
mod scalars;
mod schemas;
mod serde;
mod standard;
mod typed;
mod updating;
mod validating;
mod writing;
