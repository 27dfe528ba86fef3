//! Limits the work of the engine.
//!
//! The engine evaluates a part of a schema as often as references lead to it. Forty schemas that each refer twice to the
//! next one need 2^40 evaluations. The engine has no limit, so [`normal`](super::normal) puts a keyword of ours before
//! each reference, which counts. It also counts the branches of long unions, because each makes an error.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use asdf_core::tree::NodeRef;
use jsonschema::{Keyword, ValidationError};

use super::instance::{Instance, TreeJson};
use crate::expansion;

/// The keyword that counts.
pub(super) const STEP: &str = "asdf-step";

/// The number of steps for every node, which takes far less than a second.
const FEW: u64 = 300_000;

/// The further steps for each node in or below the validated one.
const STEPS_PER_NODE: u64 = 16;

thread_local! {
    /// The steps that the current validation of this thread can still take.
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Ends a validation by unwinding, because the engine continues after errors.
struct Spent;

/// The validation would take too many steps.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooMany;

/// Does the work for one node, unless the engine takes too many steps for it.
///
/// In programs that abort on panics, the program ends instead. Without a limit it would never continue.
pub(super) fn limited<T>(node: NodeRef<'_>, work: impl Fn() -> T) -> Result<T, TooMany> {
    within(FEW, &work).or_else(|TooMany| {
        // Large nodes need more steps. Their size is only computed if it matters.
        let nodes = expansion::expansions(node).get(&node.id()).map_or(1, |found| found.nodes);
        match nodes.saturating_mul(STEPS_PER_NODE) {
            more if more > FEW => within(FEW.saturating_add(more), &work),
            _ => Err(TooMany),
        }
    })
}

fn within<T>(most: u64, work: &impl Fn() -> T) -> Result<T, TooMany> {
    // A keyword of a program can start another validation.
    let outer = LEFT.replace(most);
    let done = catch_unwind(AssertUnwindSafe(work));
    LEFT.set(outer);
    done.map_err(|panic| if panic.is::<Spent>() { TooMany } else { resume_unwind(panic) })
}

/// The keyword [`STEP`], which every node satisfies.
pub(super) struct Step;

impl Step {
    fn take(&self) {
        match LEFT.get().checked_sub(1) {
            Some(left) => LEFT.set(left),
            None => resume_unwind(Box::new(Spent)),
        }
    }
}

impl<'i> Keyword<'i, TreeJson> for Step {
    fn validate(&self, _: Instance<'i>) -> Result<(), ValidationError<'i>> {
        self.take();
        Ok(())
    }

    fn is_valid(&self, _: Instance<'i>) -> bool {
        self.take();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asdf_core::yaml::parse;

    #[test]
    fn large_nodes_can_take_more_steps() {
        let steps = |count: u64| move || (0..count).for_each(|_| Step.take());
        let small = parse("[1]").unwrap();
        let small = small.root().unwrap();
        assert_eq!(limited(small, steps(FEW)), Ok(()));
        assert_eq!(limited(small, steps(FEW + 1)), Err(TooMany));
        let large = parse(&format!("[{}1]", "1, ".repeat(29_999))).unwrap();
        assert_eq!(limited(large.root().unwrap(), steps(FEW + 30_000 * STEPS_PER_NODE)), Ok(()));
        // The limit of one validation ends with it, and an inner one does not end an outer one.
        let nested = || (limited(small, steps(FEW + 1)), (0..FEW).for_each(|_| Step.take()));
        assert_eq!(limited(small, nested), Ok((Err(TooMany), ())));
        steps(2 * FEW)();
    }

    #[test]
    #[should_panic(expected = "on purpose")]
    fn other_panics_continue() {
        let tree = parse("1").unwrap();
        let _ = limited(tree.root().unwrap(), || panic!("on purpose"));
    }
}
