//! Where findings go while they are found.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use asdf_core::Error;

use super::{Code, Violation};

/// Takes findings one by one, in the order in which they are found, until whoever takes them has enough or
/// the time is over.
pub(super) struct Findings<'a> {
    take: &'a mut dyn FnMut(Violation) -> ControlFlow<()>,
    ends: Option<(Instant, Duration)>,
    enough: bool,
    steps: u32,
    /// How many findings there were.
    pub(super) found: usize,
    pub(super) validated: usize,
    /// How many tagged nodes have no schema.
    pub(super) unchecked: usize,
}

impl<'a> Findings<'a> {
    pub(super) fn new(
        take: &'a mut dyn FnMut(Violation) -> ControlFlow<()>,
        max_time: Option<Duration>,
    ) -> Self {
        let ends = max_time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        Self { take, ends, enough: false, steps: 0, found: 0, validated: 0, unchecked: 0 }
    }

    pub(super) fn push(&mut self, violation: Violation) {
        self.found += 1;
        if !self.enough {
            self.enough = (self.take)(violation).is_break();
        }
    }

    /// When the time is over, if it is looked at.
    pub(super) fn end(&self) -> Option<Instant> {
        self.ends.map(|(end, _)| end)
    }

    /// Whether to stop. Asks for the time.
    pub(super) fn enough(&mut self) -> bool {
        if let Some((end, most)) = self.ends {
            if !self.enough && Instant::now() > end {
                let error = Error::limit(format!("checking stopped after {} s", most.as_secs_f64()))
                    .with_hint("what was found until then is reported");
                self.push(Violation::from_error(&error, Code::Stopped));
                self.enough = true;
            }
        }
        self.enough
    }

    /// Whether to stop; asks for the time now and then only.
    pub(super) fn enough_between_nodes(&mut self) -> bool {
        let due = self.steps % 1024 == 0;
        self.steps = self.steps.wrapping_add(1);
        if due { self.enough() } else { self.enough }
    }
}
