//! Tests of one operation: what its targets may hold after a fault at each of its calls.

use std::path::Path;
use std::process::Output;

use crate::folder::Folder;
use crate::operation::Operation;
use crate::tracer::{Call, Fault, Programs};

/// An operation and what it does without a fault.
#[derive(Debug)]
pub(crate) struct Trial<'a> {
    programs: &'a Programs,
    operation: &'static Operation,
    before: Folder,
    after: Folder,
    /// What the program reads from the first target, before and after.
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    calls: Vec<Call>,
}

/// A fault at a call, numbered from 1.
pub(crate) type Point = (usize, Fault);

/// What a target holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Old,
    New,
    Mixed,
}

impl<'a> Trial<'a> {
    /// Runs an operation without a fault in the folder `root/work`, twice.
    pub(crate) fn new(
        programs: &'a Programs,
        operation: &'static Operation,
        inputs: &Folder,
        root: &Path,
    ) -> Result<Self, String> {
        let work = root.join("work");
        std::fs::create_dir_all(root.join("tmp")).map_err(text)?;
        inputs.restore(&work).map_err(text)?;
        for line in operation.before {
            if line.contains(" made/") {
                std::fs::create_dir_all(work.join("made")).map_err(text)?;
            }
            succeed(&programs.run(&work, line).map_err(text)?, line)?;
        }
        let before = Folder::read(&work).map_err(text)?;
        let mut trial = Self {
            programs,
            operation,
            old: None,
            new: None,
            after: before.clone(),
            before,
            calls: Vec::new(),
        };
        trial.old = trial.read(&work)?;
        let (output, calls) = programs.run_with(root, operation.run, 0, Fault::None).map_err(text)?;
        succeed(&output, operation.run)?;
        trial.calls = calls;
        trial.after = Folder::read(&work).map_err(text)?;
        trial.new = trial.read(&work)?;
        let targets = |folder: &Folder| -> Vec<Option<Vec<u8>>> {
            operation.targets.iter().map(|name| folder.get(name).map(<[u8]>::to_vec)).collect()
        };
        if targets(&trial.before) == targets(&trial.after) && trial.old == trial.new {
            return Err(format!("`{}` changes nothing", operation.run));
        }
        Ok(trial)
    }

    /// All faults at all calls.
    pub(crate) fn points(&self) -> Vec<Point> {
        let points = (1..).zip(&self.calls);
        points.flat_map(|(at, call)| Fault::of(call).into_iter().map(move |fault| (at, fault))).collect()
    }

    /// Runs the operation with a fault. Returns what is wrong.
    pub(crate) fn run(&self, (at, fault): Point, root: &Path) -> Result<(), String> {
        let name = self.calls.get(at.saturating_sub(1)).map_or("?", |call| call.name.as_str());
        self.checked(at, fault, root)
            .map_err(|error| format!("`{}`: {fault} at call {at}, {name}: {error}", self.operation.run))
    }

    fn checked(&self, at: usize, fault: Fault, root: &Path) -> Result<(), String> {
        let work = root.join("work");
        self.before.restore(&work).map_err(text)?;
        let (output, calls) = self.programs.run_with(root, self.operation.run, at, fault).map_err(text)?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        if calls.len() < at {
            return Err(format!("the call was not made; {message}"));
        }
        let states = self.states(&work)?;
        let complete = states.iter().all(|state| *state == State::New);
        if states.contains(&State::Mixed) {
            return Err(format!("neither the old nor the new file: {states:?}; {message}"));
        }
        match output.status.code() {
            Some(137) if fault.kills() => {}
            Some(0) if complete => {}
            Some(0) => return Err(format!("exit status 0, but the new file is not there: {states:?}")),
            // A call that works when it is made again is not an error.
            Some(code) if fault == Fault::Short => return Err(format!("exit status {code}: {message}")),
            Some(1 | 2) => self.check_message(&message, calls.get(at - 1))?,
            code => return Err(format!("exit status {code:?}: {message}")),
        }
        let line = self.operation.again.unwrap_or(self.operation.run);
        succeed(&self.programs.run(&work, line).map_err(text)?, line)?;
        let left = Folder::read(&work).map_err(text)?;
        let mut names = left.not_in(&self.after);
        names.retain(|name| !self.is_named(&left, name));
        if !names.is_empty() {
            return Err(format!("left behind after the next run: {names:?}"));
        }
        if self.operation.again.is_none() && self.states(&work)?.iter().any(|state| *state != State::New) {
            return Err("the next run does not make the new file".to_owned());
        }
        Ok(())
    }

    /// Whether a file of a set, which can have a new name each time, is named in a target.
    fn is_named(&self, folder: &Folder, name: &Path) -> bool {
        let name = name.as_os_str().as_encoded_bytes();
        self.operation.is_set
            && self
                .operation
                .targets
                .iter()
                .filter_map(|target| folder.get(target))
                .any(|text| text.windows(name.len()).any(|found| found == name))
    }

    /// A message names the target or the file of the call.
    fn check_message(&self, message: &str, call: Option<&Call>) -> Result<(), String> {
        let own = call.and_then(|call| call.path.file_name()).and_then(|name| name.to_str());
        // The other files of a set have names that begin with that of the first one.
        let stem =
            |name: &'static str| if self.operation.is_set { name.trim_end_matches(".asdf") } else { name };
        let mut names = self.operation.targets.iter().copied().map(stem).chain(own);
        if names.any(|name| message.contains(name)) {
            Ok(())
        } else {
            Err(format!("the message does not name the file: {message}"))
        }
    }

    fn states(&self, work: &Path) -> Result<Vec<State>, String> {
        let found = Folder::read(work).map_err(text)?;
        if self.operation.is_set {
            return Ok(vec![self.read_state(work)?]);
        }
        let states = self.operation.targets.iter().map(|name| {
            let found = found.get(name);
            if found == self.after.get(name) {
                Ok(State::New)
            } else if found == self.before.get(name) {
                Ok(State::Old)
            } else {
                // The bytes of a file may be those of both while a journal for it exists.
                self.read_state(work)
            }
        });
        states.collect()
    }

    fn read_state(&self, work: &Path) -> Result<State, String> {
        let found = self.read(work)?;
        Ok(if found == self.new {
            State::New
        } else if found == self.old {
            State::Old
        } else {
            State::Mixed
        })
    }

    /// What the program reads from the first target: its tree and all arrays. `None` if the target does not exist.
    fn read(&self, work: &Path) -> Result<Option<Vec<u8>>, String> {
        let Some(name) = self.operation.targets.first() else { return Ok(None) };
        if !work.join(name).exists() {
            return Ok(None);
        }
        let bytes = if name.ends_with(".asdf") {
            let mut output =
                self.programs.run(work, &format!("dump --digest --verify {name}")).map_err(text)?;
            output.stdout.extend(output.stderr);
            output.stdout
        } else {
            std::fs::read(work.join(name)).map_err(text)?
        };
        Ok(Some(bytes))
    }
}

fn succeed(output: &Output, line: &str) -> Result<(), String> {
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`{line}` failed: {}", String::from_utf8_lossy(&output.stderr)))
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
