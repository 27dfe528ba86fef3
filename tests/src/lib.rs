//! Tests that need two crates or real files; the programs are for `tests/interop`.
