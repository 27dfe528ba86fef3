//! Transforms with one wrong value are an error or a transform, never a panic.

use asdf_core::{ToNode, Tree};

use super::{Reader, tree};
use crate::program::Program;

/// Returns the cases of `values.yaml` as trees of their own, without those that share nodes with others.
fn cases() -> Vec<Tree> {
    let text = include_str!("values.yaml");
    let (_, cases) = text.split_once("cases:\n").unwrap();
    let cases = cases.trim_end_matches("...\n").split("\n- ").filter(|case| !case.contains("*id"));
    cases.map(|case| tree(&format!("- {}", case.trim_start_matches("- ")))).collect()
}

/// Reads and compiles a transform whose node at a path is replaced, and returns whether that is an error.
fn fails(case: &Tree, path: &str, value: &dyn Fn(&mut Tree) -> asdf_core::Result<()>) -> bool {
    let mut changed = case.clone();
    value(&mut changed).unwrap();
    let Some(node) = changed.find("/0/model") else { return true };
    let model = match Reader::default().read_at("/model", node) {
        Ok(model) => model,
        Err(error) => {
            assert!(error.path().is_some_and(|path| path.starts_with("/model")), "{path}: {error}");
            return true;
        }
    };
    Program::compile(&[model], &[], &[], None).is_err()
}

fn replaced<'a, T: ToNode>(path: &'a str, value: &'a T) -> impl Fn(&mut Tree) -> asdf_core::Result<()> + 'a {
    move |tree| tree.set(path, value)
}

#[test]
fn one_wrong_value_is_an_error_or_a_transform() {
    let (mut errors, mut all) = (0, 0);
    for case in cases() {
        let model = case.at("/0/model").unwrap();
        let paths: Vec<String> = model.search().map(|found| format!("/0/model{}", found.path)).collect();
        for path in paths {
            let mut count = |is_error: bool| {
                errors += usize::from(is_error);
                all += 1;
            };
            count(fails(&case, &path, &replaced(&path, &"text")));
            count(fails(&case, &path, &replaced(&path, &-1)));
            count(fails(&case, &path, &replaced(&path, &i64::MAX)));
            count(fails(&case, &path, &replaced(&path, &1e308)));
            count(fails(&case, &path, &replaced(&path, &f64::NAN)));
            count(fails(&case, &path, &replaced(&path, &Vec::<f64>::new())));
            count(fails(&case, &path, &replaced(&path, &vec![1.0, 2.0, 3.0])));
            count(fails(&case, &path, &replaced(&path, &())));
        }
    }
    // Most changes are noticed; numbers can be replaced by other numbers.
    assert!(errors * 2 > all && all > 5_000, "{errors} of {all}");
}
