//! A model of the protocol in `file::snapshot`, of which every order of steps is tried.
//!
//! Several processes open, read and update one file, and one of them may be killed. The file has two halves, which are
//! read and written one after the other. The clock stands still unless a process waits for it.
//! The steps of an update in place are those of the code: they are made from the calls that it makes.

#![cfg(unix)]

use std::collections::HashSet;

use super::disk::Call;
use super::disk::faults::{Fault, run};
use super::{File as AsdfFile, UpdateOptions};

/// A step of an update in place that other processes can see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Step {
    BeginJournal,
    CompleteJournal,
    Change(usize),
    RemoveJournal,
}

/// The rules that the processes follow. Without any of them something goes wrong.
#[derive(Debug, Clone)]
struct Rules {
    in_place: Vec<Step>,
    /// Readers take a second snapshot.
    look_again: bool,
    /// Writers compare snapshots once they have the lock.
    compare: bool,
    /// Writers look whether the locked file is still at the path.
    verify_lock: bool,
    /// A new file is locked before it is renamed, until the journal of the old one is removed.
    lock_new: bool,
    /// An update in place waits until the clock is later than the last change.
    wait_for_clock: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Read,
    Copy,
    InPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum At {
    Open,
    Look,
    Read(usize),
    LookAgain,
    StatAgain,
    OpenForWriting,
    Lock,
    VerifyLock,
    Compare,
    Undo(usize),
    Update(usize),
    Rename,
    ForgetJournal,
    Unlock,
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Snapshot {
    file: usize,
    time: u8,
    journal: Option<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Process {
    role: Role,
    at: At,
    snapshot: Snapshot,
    saved: Option<[u8; 2]>,
    halves: [u8; 2],
    again: Option<u8>,
    /// The file that it opens for writing.
    target: Option<usize>,
    /// The file that it has renamed, and still locks.
    new: Option<usize>,
    /// The newest value that anybody had read when this reading began.
    floor: u8,
    left: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct File {
    halves: [u8; 2],
    time: u8,
    locked: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Journal {
    id: u8,
    file: usize,
    whole: bool,
    old: [u8; 2],
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    files: Vec<File>,
    path: usize,
    journal: Option<Journal>,
    journals: u8,
    processes: Vec<Process>,
    /// The number of complete updates, each of which adds 1.
    complete: u8,
    newest: u8,
    kills: u8,
    /// The clock of the file system, which is coarse: it moves on only when a process waits for it.
    clock: u8,
}

impl World {
    fn new(roles: &[Role], kills: u8) -> Self {
        let process = |&role| Process {
            role,
            at: At::Open,
            snapshot: Snapshot { file: 0, time: 0, journal: None },
            saved: None,
            halves: [0; 2],
            again: None,
            target: None,
            new: None,
            floor: 0,
            left: 2,
        };
        Self {
            files: vec![File { halves: [0; 2], time: 0, locked: false }],
            path: 0,
            journal: None,
            journals: 0,
            processes: roles.iter().map(process).collect(),
            complete: 0,
            newest: 0,
            kills,
            clock: 0,
        }
    }

    fn journal_of(&self, file: usize) -> Option<Journal> {
        self.journal.filter(|journal| journal.whole && journal.file == file)
    }

    fn set_half(&mut self, file: usize, half: usize, value: u8) {
        self.files[file].halves[half] = value;
        self.files[file].time = self.clock;
    }

    fn completed(&mut self, halves: [u8; 2]) -> Result<(), String> {
        self.complete += 1;
        if halves == [self.complete; 2] {
            return Ok(());
        }
        Err(format!("a lost update: {halves:?} after {} updates", self.complete))
    }

    /// Does the next step of a process.
    fn step(&mut self, who: usize, rules: &Rules) -> Result<(), String> {
        let mut own = self.processes[who];
        // The file that it reads, or has locked.
        let file = own.target.unwrap_or(own.snapshot.file);
        own.at = match own.at {
            At::Open => {
                own.floor = self.newest;
                own.snapshot = Snapshot { file: self.path, time: self.files[self.path].time, journal: None };
                At::Look
            }
            At::Look => {
                let journal = self.journal_of(file);
                own.snapshot.journal = journal.map(|journal| journal.id);
                own.saved = journal.map(|journal| journal.old);
                At::Read(0)
            }
            At::Read(half) => {
                own.halves[half] = own.saved.unwrap_or(self.files[file].halves)[half];
                if half == 0 { At::Read(1) } else { At::LookAgain }
            }
            At::LookAgain => {
                own.again = self.journal_of(file).map(|journal| journal.id);
                At::StatAgain
            }
            At::StatAgain => {
                let now = Snapshot { file: self.path, time: self.files[self.path].time, journal: own.again };
                let same = match (own.snapshot.journal, now.journal) {
                    (Some(one), Some(other)) => one == other && file == now.file,
                    _ => own.snapshot == now,
                };
                own.left -= 1;
                if same || !rules.look_again {
                    self.accept(&own)?;
                    match own.role {
                        Role::Read if own.left == 0 => At::End,
                        Role::Read => At::Open,
                        _ => At::OpenForWriting,
                    }
                } else if own.left == 0 {
                    At::End
                } else {
                    At::Open
                }
            }
            At::OpenForWriting => {
                own.target = Some(self.path);
                At::Lock
            }
            At::Lock => {
                let target = own.target.unwrap();
                if self.files[target].locked {
                    At::End
                } else {
                    self.files[target].locked = true;
                    At::VerifyLock
                }
            }
            At::VerifyLock => {
                let target = own.target.unwrap();
                if !rules.verify_lock || target == self.path {
                    At::Compare
                } else {
                    self.files[target].locked = false;
                    At::OpenForWriting
                }
            }
            At::Compare => {
                let target = own.target.unwrap();
                let journal = self.journal_of(target).map(|journal| journal.id);
                let now = Snapshot { file: target, time: self.files[target].time, journal };
                let same = now == own.snapshot || !rules.compare;
                own.snapshot = now;
                match own.role {
                    _ if !same => At::Unlock,
                    _ if journal.is_some() => At::Undo(0),
                    Role::Copy => At::Rename,
                    _ => At::Update(0),
                }
            }
            At::Undo(number) => {
                let journal = self.journal.ok_or("the journal is gone")?;
                match number {
                    0 | 1 => self.set_half(file, number, journal.old[number]),
                    _ => self.journal = None,
                }
                match own.role {
                    _ if number < 2 => At::Undo(number + 1),
                    Role::Copy => At::Rename,
                    _ => At::Update(0),
                }
            }
            At::Update(number) => {
                match rules.in_place[number] {
                    Step::BeginJournal => {
                        let File { halves: old, time, .. } = self.files[file];
                        if rules.wait_for_clock {
                            self.clock = self.clock.max(time + 1);
                        }
                        self.journals += 1;
                        self.journal = Some(Journal { id: self.journals, file, whole: false, old });
                    }
                    Step::CompleteJournal => self.journal.as_mut().ok_or("the journal is gone")?.whole = true,
                    Step::Change(half) => self.set_half(file, half, own.halves[half] + 1),
                    Step::RemoveJournal => {
                        self.journal = None;
                        self.completed(own.halves.map(|value| value + 1))?;
                    }
                }
                if number + 1 < rules.in_place.len() { At::Update(number + 1) } else { At::Unlock }
            }
            At::Rename => {
                let halves = own.halves.map(|value| value + 1);
                self.path = self.files.len();
                own.new = rules.lock_new.then_some(self.path);
                self.files.push(File { halves, time: self.clock, locked: rules.lock_new });
                self.completed(halves)?;
                At::ForgetJournal
            }
            At::ForgetJournal => {
                self.journal = None;
                At::Unlock
            }
            At::Unlock => {
                self.unlock(&own);
                At::End
            }
            At::End => At::End,
        };
        self.processes[who] = own;
        Ok(())
    }

    /// Checks what a process has read.
    fn accept(&mut self, own: &Process) -> Result<(), String> {
        let [value, second] = own.halves;
        if value != second {
            return Err(format!("a mixture: {:?}", own.halves));
        }
        if value < own.floor {
            return Err(format!("{value} was read after {}", own.floor));
        }
        if value > self.complete {
            return Err(format!("{value} was read after {} complete updates", self.complete));
        }
        self.newest = self.newest.max(value);
        Ok(())
    }

    /// Checks what is left when all processes have ended.
    fn check_end(&self) -> Result<(), String> {
        let found = self.journal_of(self.path).map_or(self.files[self.path].halves, |journal| journal.old);
        if found == [self.complete; 2] {
            return Ok(());
        }
        Err(format!("{found:?} is left after {} updates", self.complete))
    }

    /// Kills a process that writes. Its lock ends.
    fn kill(&mut self, who: usize) {
        self.kills -= 1;
        self.processes[who].at = At::End;
        self.unlock(&self.processes[who].clone());
    }

    fn unlock(&mut self, own: &Process) {
        for file in own.target.into_iter().chain(own.new) {
            self.files[file].locked = false;
        }
    }
}

/// Tries all orders of the steps. Returns the number of states, or what went wrong first.
fn explore(start: World, rules: &Rules) -> Result<usize, String> {
    let mut known = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(world) = open.pop() {
        let mut next = Vec::new();
        for (who, process) in world.processes.iter().enumerate() {
            if process.at == At::End {
                continue;
            }
            let mut after = world.clone();
            after.step(who, rules)?;
            next.push(after);
            let writes = matches!(
                process.at,
                At::Compare | At::Undo(_) | At::Update(_) | At::Rename | At::ForgetJournal | At::Unlock
            );
            if world.kills > 0 && writes {
                let mut after = world.clone();
                after.kill(who);
                next.push(after);
            }
        }
        if next.is_empty() {
            world.check_end()?;
        }
        for world in next {
            if known.insert(world.clone()) {
                open.push(world);
            }
        }
    }
    Ok(known.len())
}

/// The visible steps of an update in place, from the calls that the code makes.
fn steps() -> Vec<Step> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    let mut file = AsdfFile::new();
    file.set("/text", &"x".repeat(2000)).unwrap();
    file.write(&path).unwrap();
    let mut file = AsdfFile::open(&path).unwrap();
    file.set("/text", &"y".repeat(2000)).unwrap();
    let update = || UpdateOptions::new().in_place(true).update(&mut file);
    let (done, calls) = run(usize::MAX, Fault::Stop, update);
    done.unwrap();
    let mut steps = Vec::new();
    let mut synced = false;
    for call in calls {
        match call {
            Call::Create => steps.push(Step::BeginJournal),
            Call::Sync if !synced => steps.push(Step::CompleteJournal),
            Call::Write | Call::Resize if synced => steps.push(Step::Change(1)),
            Call::Remove => steps.push(Step::RemoveJournal),
            _ => {}
        }
        synced |= call == Call::Sync;
    }
    // Several writes stand for two.
    steps.dedup();
    let first = steps.iter().position(|step| matches!(step, Step::Change(_))).unwrap();
    steps.insert(first, Step::Change(0));
    steps
}

fn rules() -> Rules {
    Rules {
        in_place: steps(),
        look_again: true,
        compare: true,
        verify_lock: true,
        lock_new: true,
        wait_for_clock: true,
    }
}

/// The processes that are tried together.
const GROUPS: [&[Role]; 5] = [
    &[Role::InPlace, Role::InPlace],
    &[Role::InPlace, Role::Copy],
    &[Role::Copy, Role::Copy],
    &[Role::InPlace, Role::InPlace, Role::Read],
    &[Role::InPlace, Role::Copy, Role::Read],
];

/// What goes wrong with these rules, for each group of processes.
fn faults(rules: &Rules) -> Vec<String> {
    GROUPS.iter().filter_map(|roles| explore(World::new(roles, 1), rules).err()).collect()
}

#[test]
fn every_order_of_steps_is_right() {
    use Step::{BeginJournal, Change, CompleteJournal, RemoveJournal};
    let rules = rules();
    let expected = [BeginJournal, CompleteJournal, Change(0), Change(1), RemoveJournal];
    assert_eq!(rules.in_place, expected);
    let mut states = 0;
    for roles in GROUPS {
        states += explore(World::new(roles, 1), &rules).unwrap_or_else(|wrong| panic!("{roles:?}: {wrong}"));
    }
    assert!(states > 10_000, "{states}");
}

#[test]
fn each_rule_is_needed() {
    let without = |change: &dyn Fn(&mut Rules)| {
        let mut rules = rules();
        change(&mut rules);
        faults(&rules).join("; ")
    };
    // Readers that look for a journal only once.
    let wrong = without(&|rules| rules.look_again = false);
    assert!(wrong.contains("mixture"), "{wrong}");
    // Updates that do not wait for the clock.
    let wrong = without(&|rules| rules.wait_for_clock = false);
    assert!(wrong.contains("mixture"), "{wrong}");
    // Writers that do not compare the file under the lock.
    let wrong = without(&|rules| rules.compare = false);
    assert!(wrong.contains("lost update"), "{wrong}");
    // Writers that lock a file that is no longer at the path.
    let wrong = without(&|rules| rules.verify_lock = false);
    assert!(wrong.contains("lost update"), "{wrong}");
    // A new file that others can update before the old journal is removed.
    let wrong = without(&|rules| rules.lock_new = false);
    assert!(!wrong.is_empty());
    // A journal that is removed before the last change.
    let wrong = without(&|rules| rules.in_place.swap(3, 4));
    assert!(!wrong.is_empty());
    // Changes before the journal is complete.
    let wrong = without(&|rules| rules.in_place.swap(1, 2));
    assert!(!wrong.is_empty());
}
