//! Threads can share a validator and its results.

use asdf_schemas::titles::Titles;
use asdf_schemas::validate::{ChangeValidator, Report, Violation};
use asdf_schemas::{Registry, Validator};

fn is_shared<T: Send + Sync>() {}

#[test]
fn threads_share_registries_and_validators() {
    is_shared::<Registry>();
    is_shared::<Validator>();
    is_shared::<ChangeValidator>();
    is_shared::<Report>();
    is_shared::<Violation>();
    is_shared::<Titles>();
}
