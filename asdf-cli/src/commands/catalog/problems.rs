//! Warnings about values that have no place in a catalogue.

use asdf_core::Error;

use crate::warning::Warnings;

/// The number of warnings that are printed.
const SHOWN: usize = 50;

/// Prints the first problems as warnings, and counts the others.
pub(super) struct Problems<'a> {
    warnings: &'a Warnings,
    count: usize,
}

impl<'a> Problems<'a> {
    pub(super) fn new(warnings: &'a Warnings) -> Self {
        Self { warnings, count: 0 }
    }

    pub(super) fn tell(&mut self, problems: Vec<Error>) {
        for problem in problems {
            self.count += 1;
            if self.count <= SHOWN {
                self.warnings.tell(problem);
            }
        }
    }

    pub(super) fn end(&self) {
        if let Some(more) = self.count.checked_sub(SHOWN).filter(|more| *more > 0) {
            self.warnings.note(&format!("and {more} more warnings, which are in the column _problems\n"));
        }
    }
}
