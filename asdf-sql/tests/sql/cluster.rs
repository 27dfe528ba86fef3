//! The same rows alone, on two executors, and with one of them killed.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::files::{ALL, EXPOSURES, Folder, failure, rows, rows_with, run};
use crate::web::{Gate, serve};

/// The time in which a cluster starts, or a query ends. Other programs can use the processor meanwhile.
const PATIENCE: Duration = Duration::from_secs(240);

/// The seconds after which an executor is lost. One that waits for the processor is not.
const TIMEOUT: &str = "15";

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A scheduler and two executors on this machine.
pub(crate) struct Cluster {
    _scheduler: Process,
    executors: Vec<Process>,
    pub(crate) address: String,
}

/// Two ports, one after the other, that nobody uses now.
fn ports() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

fn start(arguments: &[&str]) -> Process {
    let command = Command::new(env!("CARGO_BIN_EXE_asdf-sql")).args(arguments).stderr(Stdio::null()).spawn();
    Process(command.unwrap())
}

fn wait_for(port: u16) {
    let start = Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(start.elapsed() < PATIENCE, "nothing listens on port {port}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

impl Cluster {
    pub(crate) fn start() -> Self {
        let port = ports();
        let text = port.to_string();
        let scheduler = start(&["scheduler", "--port", &text, "--timeout", TIMEOUT]);
        wait_for(port);
        let address = format!("127.0.0.1:{port}");
        let executors = [(); 2].map(|()| {
            let own = ports();
            let executor = start(&[
                "executor",
                "--scheduler",
                &address,
                "--port",
                &own.to_string(),
                "--cores",
                "2",
                "--heartbeat",
                "1",
            ]);
            wait_for(own);
            executor
        });
        Self { _scheduler: scheduler, executors: executors.into(), address: format!("df://{address}") }
    }

    /// Kills an executor with SIGKILL.
    pub(crate) fn kill_one(&mut self) {
        drop(self.executors.pop());
    }

    fn rows(&self, query: &str) -> Vec<String> {
        rows_with(&["--cluster", &self.address], query)
    }
}

/// One query of each kind. Their rows are sorted.
fn queries(folder: &str) -> Vec<String> {
    vec![
        format!("select count(*) from '{folder}'"),
        format!("select _file, _size, _modified from '{folder}' order by _file"),
        format!("select * from '{folder}' order by _file"),
        format!(
            "select detector, count(*), avg(exposure_time) from '{folder}' group by detector order by detector"
        ),
        format!("select _file from '{folder}' where detector like 'WFI0%' and _size > 10 order by _file"),
        format!("select _file, _problems from '{folder}' where _problems is not null order by _file"),
        format!("select _file, _valid from '{folder}' order by 1"),
        format!("select _file, path, line, code, message from violations('{folder}') order by 1, 2, 3"),
        format!("select * from blocks('{folder}') order by _file, block"),
        format!("select * from asdf_rows('{folder}', '/roman/catalog') order by _file, label"),
        format!("select count(*), sum(flux) from asdf_rows('{folder}', '/roman/catalog') where label > 3"),
        format!(
            "select number, array_mean(_file, '/roman/data'), array_percentile(_file, '/roman/data', 90) from '{folder}' order by _file"
        ),
        format!(
            "select count(*) from '{folder}' where array_max(_file, '/roman/data') > 20 and contains(_file, 'night')"
        ),
        format!(
            "select array_max([1, 2]), convert_unit(number, 'm', 'km') from '{folder}' where number < 3 order by 2"
        ),
        format!(
            "select a.detector, count(*) from '{folder}' a join '{folder}/night/' b on a.number = b.number group by 1 order by 1"
        ),
        format!("select detector from '{folder}' where number in (select max(number) from '{folder}')"),
        format!("select distinct target.name from '{folder}' order by 1 limit 2"),
    ]
}

#[test]
fn a_cluster_gives_the_same_rows() {
    let folder = Folder::new();
    let cluster = Cluster::start();
    for query in queries(&folder.text()) {
        assert_eq!(cluster.rows(&query), rows(&query), "{query}");
    }
    assert_eq!(cluster.rows(&format!("select count(*) from '{}'", folder.text())), [ALL.to_string()]);
    let options = ["--strict", "--cluster", &cluster.address];
    let (message, code) = failure(&options, &format!("select max(detector) from '{}'", folder.text()));
    assert!(message.starts_with(&folder.text()) && !message.contains("External"), "{message}");
    assert_eq!(code, 1);
    let table = format!("l2={}", folder.text());
    let found =
        rows_with(&["--table", &table, "--cluster", &cluster.address], "select count(detector) from l2");
    assert_eq!(found, [EXPOSURES.to_string()]);
}

/// Runs a query on a cluster whose second executor is killed as soon as a gate holds an answer back.
fn rows_with_a_killed_executor(cluster: &mut Cluster, gate: &Gate, query: String) -> Vec<String> {
    let address = cluster.address.clone();
    let running =
        std::thread::spawn(move || run(&["--format", "csv", "--sample", "5", "--cluster", &address, &query]));
    let start = Instant::now();
    while !gate.holds() {
        assert!(start.elapsed() < PATIENCE && !running.is_finished());
        std::thread::sleep(Duration::from_millis(5));
    }
    // The other executor also begins its tasks.
    std::thread::sleep(Duration::from_millis(500));
    assert!(!running.is_finished());
    cluster.kill_one();
    gate.open();
    while !running.is_finished() {
        assert!(start.elapsed() < PATIENCE, "the query does not end");
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = running.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn a_killed_executor_does_not_change_the_rows() {
    let folder = Folder::with(240, 8);
    let local = format!("{}/night/*.asdf", folder.text());
    let query = |files: &str| {
        format!(
            "select detector, count(*), sum(array_max(_file, '/roman/data')) from '{files}' group by 1 order by 1"
        )
    };
    let mut cluster = Cluster::start();
    // The server answers the requests of the sample, and some of the executors. Then each of them waits for an answer.
    let gate = Gate::after(50);
    let url = format!("{}/*.asdf", serve(folder.join("night"), gate.clone()));
    let found = rows_with_a_killed_executor(&mut cluster, &gate, query(&url));
    assert_eq!(found, rows(&query(&local)));
    let count = format!("select count(*) from '{local}'");
    assert_eq!(cluster.rows(&count), ["120"]);
}

#[test]
fn work_that_was_done_is_repeated_if_its_executor_is_killed() {
    let folder = Folder::with(240, 8);
    let groups = |files: &str| format!("select detector, max(_file) as file from '{files}' group by 1");
    let arrays = |files: &str| {
        format!("select detector, array_max(file, '/roman/data') from ({}) order by 1", groups(files))
    };
    // All requests of the first stage are answered, and none of the second.
    let counting = Gate::open_always();
    let url = format!("{}/*.asdf", serve(folder.join("night"), counting.clone()));
    rows_with(&["--sample", "5"], &groups(&url));
    let gate = Gate::after(counting.requests());
    let url = format!("{}/*.asdf", serve(folder.join("night"), gate.clone()));
    let found = rows_with_a_killed_executor(&mut Cluster::start(), &gate, arrays(&url));
    assert_eq!(found, rows(&arrays(&format!("{}/night/*.asdf", folder.text()))));
}

#[test]
fn a_cluster_that_does_not_answer_is_an_error() {
    let address = format!("df://127.0.0.1:{}", ports());
    let (message, code) = failure(&["--cluster", &address], "select 1");
    let expected = "cannot reach the scheduler: connection refused\n  hint: check its address, and that `asdf-sql scheduler` runs there\n";
    assert_eq!((message.as_str(), code), (expected, 2));
    for wrong in ["127.0.0.1:50050", "http://127.0.0.1:50050", "df://h:99999"] {
        let (message, code) = failure(&["--cluster", wrong], "select 1");
        let expected = format!("not the address of a cluster: {wrong}\n  hint: write df://HOST:PORT\n");
        assert_eq!((message, code), (expected, 2));
    }
}

#[test]
fn a_cluster_without_executors_is_an_error() {
    let port = ports();
    let _scheduler = start(&["scheduler", "--port", &port.to_string(), "--timeout", "1"]);
    wait_for(port);
    let address = format!("df://127.0.0.1:{port}");
    let (message, code) = failure(&["--cluster", &address], "select 1");
    let last: Vec<&str> = message.lines().rev().take(2).collect();
    let expected = "the cluster lost an executor, or none runs";
    assert!(last.last().is_some_and(|line| line.ends_with(expected)), "{message}");
    assert!(last.first().is_some_and(|line| line.contains("start executors")), "{message}");
    assert_eq!(code, 2);
}
