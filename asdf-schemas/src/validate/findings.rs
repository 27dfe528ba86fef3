//! Hands the findings to the caller, one by one.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use asdf_core::Error;

use super::{Code, Violation};

/// Passes findings on in the order in which they are found, until the receiver stops or the time is over.
pub(super) struct Findings<'a> {
    take: &'a mut dyn FnMut(Violation) -> ControlFlow<()>,
    ends: Option<(Instant, Duration)>,
    enough: bool,
    steps: u32,
    /// The number of tagged nodes that were validated.
    pub(super) validated: usize,
    /// The number of tagged nodes without a schema.
    pub(super) unchecked: usize,
}

impl<'a> Findings<'a> {
    pub(super) fn new(
        take: &'a mut dyn FnMut(Violation) -> ControlFlow<()>,
        max_time: Option<Duration>,
    ) -> Self {
        let ends = max_time.and_then(|time| Some((Instant::now().checked_add(time)?, time)));
        Self { take, ends, enough: false, steps: 0, validated: 0, unchecked: 0 }
    }

    pub(super) fn push(&mut self, violation: Violation) {
        if !self.enough {
            self.enough = (self.take)(violation).is_break();
        }
    }

    /// The deadline, if there is one.
    pub(super) fn end(&self) -> Option<Instant> {
        self.ends.map(|(end, _)| end)
    }

    /// Whether to stop. Reads the clock.
    pub(super) fn enough(&mut self) -> bool {
        if let Some((end, most)) = self.ends {
            if !self.enough && Instant::now() > end {
                let error = Error::limit(format!("timed out after {} s", most.as_secs_f64()))
                    .with_hint("allow more time; the findings up to then are reported");
                self.push(Violation::from_error(&error, Code::Stopped));
                self.enough = true;
            }
        }
        self.enough
    }

    /// Whether to stop. Reads the clock only at every 1024th call.
    pub(super) fn enough_between_nodes(&mut self) -> bool {
        let due = self.steps % 1024 == 0;
        self.steps = self.steps.wrapping_add(1);
        if due { self.enough() } else { self.enough }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_time_is_one_finding() {
        let mut found = Vec::new();
        let mut take = |violation: Violation| {
            found.push(violation.message().to_owned());
            ControlFlow::Continue(())
        };
        let mut unlimited = Findings::new(&mut take, None);
        assert!(unlimited.end().is_none() && !unlimited.enough());
        let mut limited = Findings::new(&mut take, Some(Duration::ZERO));
        assert!(limited.end().is_some());
        while !limited.enough() {}
        assert!(limited.enough_between_nodes() && limited.enough());
        assert_eq!(found, ["timed out after 0 s"]);
    }

    #[test]
    fn the_clock_is_read_at_the_first_of_many_nodes() {
        let mut take = |_| ControlFlow::Continue(());
        let mut findings = Findings::new(&mut take, Some(Duration::ZERO));
        let end = findings.end().unwrap();
        while Instant::now() <= end {}
        assert!(findings.enough_between_nodes());
        let mut findings = Findings::new(&mut take, Some(Duration::from_secs(600)));
        assert!((0..3000).all(|_| !findings.enough_between_nodes()));
    }
}
