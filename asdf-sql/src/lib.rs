//! SQL over many ASDF files.
