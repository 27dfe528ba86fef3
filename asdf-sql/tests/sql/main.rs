//! Queries over files: as a library, with the program, and on a cluster.

mod cluster;
mod columns;
mod files;
mod functions;
mod library;
mod program;
mod requests;
mod tables;
