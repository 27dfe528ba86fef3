//! Reads and writes files on real servers, which `tests/remote/run` starts.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![allow(clippy::cast_possible_truncation, reason = "the files are small")]

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use asdf_core::array::Slice;
use asdf_core::error::Kind;
use asdf_core::{File, NdArray, Result, WriteOptions};
use asdf_remote::{Entry, Remote};

/// The value of a variable of `tests/remote/run`.
fn variable(name: &str) -> String {
    let name = format!("ASDF_TEST_{name}");
    std::env::var(&name)
        .unwrap_or_else(|_| panic!("{name} is not set: start this test with tests/remote/run"))
}

fn remote() -> Remote {
    Remote::new().environment::<&str, &str>([]).timeout(Duration::from_secs(10))
}

fn keys() -> [(&'static str, String); 2] {
    [("AWS_ACCESS_KEY_ID", variable("S3_ACCESS_KEY")), ("AWS_SECRET_ACCESS_KEY", variable("S3_SECRET_KEY"))]
}

fn s3(server: &str) -> Remote {
    remote().environment(keys()).endpoint_url(variable(server))
}

fn azure() -> Remote {
    let account = variable("AZURE_ACCOUNT");
    let endpoint = format!("{}/{account}", variable("AZURITE"));
    let keys =
        [("AZURE_STORAGE_ACCOUNT_NAME", account), ("AZURE_STORAGE_ACCOUNT_KEY", variable("AZURE_KEY"))];
    remote().environment(keys).endpoint_url(endpoint)
}

fn url(scheme: &str, key: &str) -> String {
    format!("{scheme}://{}/{key}", variable("BUCKET"))
}

/// The stores with all files: their clients, and how URLs begin.
fn stores() -> Vec<(&'static str, Remote, String)> {
    let nginx = variable("NGINX");
    let google = format!(
        r#"{{"gcs_base_url":"{nginx}","disable_oauth":true,"client_email":"","private_key":"","private_key_id":""}}"#
    );
    vec![
        ("s3s", s3("S3S"), url("s3", "")),
        ("azurite", azure(), url("az", "")),
        ("anonymous S3", remote().endpoint_url(&nginx), url("s3", "")),
        ("google", remote().environment([("GOOGLE_SERVICE_ACCOUNT_KEY", google)]), url("gs", "")),
        ("nginx", remote(), format!("{nginx}/")),
        ("slow", remote(), format!("{}/", variable("SLOW"))),
        ("moved", remote(), format!("{nginx}/moved/")),
        ("no ETags", remote(), format!("{nginx}/no-etag/")),
    ]
}

/// The same part of the image as in `expected.json`.
fn cutout(file: &File) -> Result<Vec<f32>> {
    file.array("/roman/data")?.slice(&[Slice::from(2000..2064), Slice::from(1000..1064)])?.read()
}

fn local(name: &str) -> File {
    File::open(PathBuf::from(variable("DATA")).join(name)).unwrap()
}

/// The requests of a test below `/as/NAME/`, and the bytes of their responses.
fn logged(name: &str) -> (usize, u64) {
    // nginx writes the line after it has sent the response.
    std::thread::sleep(Duration::from_millis(300));
    let log = std::fs::read_to_string(variable("NGINX_LOG")).unwrap();
    let mark = format!("/as/{name}/");
    let lines = log.lines().filter(|line| line.contains(&mark));
    let bytes: Vec<u64> = lines.map(|line| line.split('\t').nth(4).unwrap().parse().unwrap()).collect();
    (bytes.len(), bytes.iter().sum())
}

#[test]
fn every_store_has_the_same_values() {
    let expected = cutout(&local("l2_plain.asdf")).unwrap();
    for (name, remote, root) in stores() {
        for file in ["l2_plain.asdf", "l2_lz4.asdf"] {
            let opened =
                remote.open(&format!("{root}{file}")).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(cutout(&opened).unwrap(), expected, "{name} {file}");
            assert_eq!(opened.blocks().unwrap().len(), 20, "{name}");
            // A whole array, in several requests at the same time.
            let small = opened.array("/roman/dq_border_ref_pix_top").unwrap().read::<u32>().unwrap();
            let same = local(file).array("/roman/dq_border_ref_pix_top").unwrap().read::<u32>().unwrap();
            assert_eq!(small, same, "{name}");
        }
        assert!(remote.stats().bytes < 32 << 20, "{name}: {}", remote.stats());
    }
    let moto = s3("MOTO").open(&url("s3", "arrays_10000.asdf")).unwrap();
    let last = moto.array("/arrays/a09999").unwrap().read::<f64>().unwrap();
    assert_eq!(last, local("arrays_10000.asdf").array("/arrays/a09999").unwrap().read::<f64>().unwrap());
    // A whole compressed array.
    let (_, remote, root) = stores().swap_remove(4);
    let whole =
        remote.open(&format!("{root}l2_lz4.asdf")).unwrap().array("/roman/data").unwrap().read::<f32>();
    assert!(whole.unwrap() == local("l2_plain.asdf").array("/roman/data").unwrap().read::<f32>().unwrap());
}

/// The numbers of the table in `docs/book/src/remote.md`.
#[test]
fn requests_and_bytes_are_few() {
    let nginx = variable("NGINX");
    let measure = |name: &str, file: &str, most: (usize, u64), work: &dyn Fn(&File)| {
        let remote = remote();
        let opened = remote.open(&format!("{nginx}/as/{name}/{file}")).unwrap();
        work(&opened);
        let (requests, bytes) = logged(name);
        println!("{name}: {requests} requests, {bytes} bytes");
        assert!(requests <= most.0 && bytes <= most.1, "{name}: {requests} requests, {bytes} bytes");
        assert_eq!(remote.stats().requests, requests as u64, "{name}");
    };
    measure("tree", "l2_plain.asdf", (1, 65_536), &|file| {
        assert_eq!(file.get::<String>("/roman/meta/telescope").unwrap(), "ROMAN");
    });
    measure("plain", "l2_plain.asdf", (2, 1_100_000), &|file| drop(cutout(file).unwrap()));
    measure("lz4", "l2_lz4.asdf", (4, 9_500_000), &|file| drop(cutout(file).unwrap()));
    measure("headers", "l2_plain.asdf", (3, 700_000), &|file| assert_eq!(file.blocks().unwrap().len(), 20));
    measure("last", "arrays_10000.asdf", (4, 3_000_000), &|file| {
        let last = file.array("/arrays/a09999").unwrap().read::<f64>().unwrap();
        assert!((last.iter().sum::<f64>() - 159_984.0).abs() < 1e-9);
    });
}

#[test]
fn folders_are_listed() {
    let names = |remote: &Remote, url: &str| -> Vec<String> {
        let found: Result<Vec<Entry>> = remote.list(url).unwrap().collect();
        // Other tests write files at the same time.
        found.unwrap().into_iter().map(|entry| entry.url).filter(|url| !url.contains("/written/")).collect()
    };
    let nginx = variable("NGINX");
    // More than one page of a listing.
    let all = names(&s3("S3S"), &url("s3", "many/"));
    assert_eq!((all.len(), all[999].clone()), (1000, url("s3", "many/exposure_0999.asdf")));
    assert_eq!(names(&s3("S3S"), &url("s3", "")).len(), 1005);
    assert_eq!(names(&s3("S3S"), &url("s3", "many/*_099?.asdf")).len(), 10);
    assert_eq!(names(&s3("S3S"), &url("s3", "**/*_0999.asdf")).len(), 1);
    assert_eq!(names(&s3("S3S"), &url("s3", "*.asdf")).len(), 3);
    assert_eq!(names(&azure(), &url("az", "many/")).len(), 100);
    assert_eq!(names(&s3("MOTO"), &url("s3", "many/")).len(), 100);
    assert_eq!(names(&remote(), &format!("{nginx}/many/")).len(), 1000);
    assert_eq!(names(&remote(), &format!("{nginx}/many/*_000[0-9].asdf")).len(), 10);
    assert_eq!(names(&remote(), &format!("{nginx}/as/list/")).len(), 1005, "with folders below");
    let entry = s3("S3S").list(&url("s3", "many/")).unwrap().next().unwrap().unwrap();
    assert!(entry.size == Some(1993) && entry.modified.is_some(), "{entry:?}");
    let error = remote().list(&format!("{nginx}/")).unwrap().next().unwrap().unwrap_err();
    assert!(error.to_string().contains("a web server has no listing"), "{error}");
    let signed = format!("{nginx}/x.asdf?a=*b/");
    assert_eq!(names(&remote(), &signed), [signed]);
}

/// A file whose array is not in the first request, with a value.
fn made(value: u32) -> File {
    let mut file = File::new();
    file.set("/value", &value).unwrap();
    file.set("/data", &NdArray::from_vec(&[1000, 1000], vec![value; 1_000_000]).unwrap()).unwrap();
    file
}

fn upload(remote: &Remote, url: &str, file: &File) {
    let mut upload = remote.upload(url).unwrap();
    WriteOptions::new().write_to(file, &mut upload).unwrap();
    upload.finish().unwrap();
}

fn writable() -> Vec<(&'static str, Remote, String)> {
    vec![
        ("s3s", s3("S3S"), url("s3", "written/")),
        ("moto", s3("MOTO"), url("s3", "written/")),
        ("azurite", azure(), url("az", "written/")),
    ]
}

#[test]
fn a_file_that_changes_while_it_is_open_is_an_error() {
    let changed = |name: &str, found: Result<Vec<u32>>| {
        let error = found.unwrap_err();
        assert!(error.to_string().contains("changed while it was open"), "{name}: {error}");
    };
    for (name, remote, root) in writable() {
        let url = format!("{root}changes.asdf");
        upload(&remote, &url, &made(1));
        let opened = remote.open(&url).unwrap();
        upload(&remote, &url, &made(2));
        changed(name, opened.array("/data").unwrap().read::<u32>());
        assert_eq!(remote.open(&url).unwrap().array("/data").unwrap().read::<u32>().unwrap()[..2], [2, 2]);
    }
    let path = PathBuf::from(variable("SCRATCH")).join("changes.asdf");
    made(1).write(&path).unwrap();
    let opened = remote().open(&format!("{}/scratch/changes.asdf", variable("NGINX"))).unwrap();
    made(123).write(&path).unwrap();
    changed("nginx", opened.array("/data").unwrap().read::<u32>());
}

#[test]
fn large_files_are_written_in_parts_and_nothing_stays_of_a_failure() {
    let values: Vec<u32> = (0..10_000_000).collect();
    let mut file = File::new();
    file.set("/data", &NdArray::from_vec(&[10_000_000], values.clone()).unwrap()).unwrap();
    for (name, remote, root) in writable() {
        let url = format!("{root}large.asdf");
        upload(&remote, &url, &file);
        assert!(remote.exists(&url).unwrap(), "{name}");
        let found = remote.open(&url).unwrap().array("/data").unwrap().read::<u32>().unwrap();
        assert!(found == values, "{name}");

        let url = format!("{root}unfinished.asdf");
        let mut unfinished = remote.upload(&url).unwrap();
        unfinished.write_all(&vec![0; 40 << 20]).unwrap();
        drop(unfinished);
        assert!(!remote.exists(&url).unwrap(), "{name}");
    }
    let error = remote().upload(&format!("{}/x.asdf", variable("NGINX"))).unwrap_err();
    assert!(error.to_string().contains("cannot write to this URL"), "{error}");
}

/// The unfinished uploads in a bucket of moto, which does not check signatures.
fn unfinished_uploads() -> String {
    let address = variable("MOTO").replace("http://", "");
    let mut stream = std::net::TcpStream::connect(&address).unwrap();
    let bucket = variable("BUCKET");
    write!(stream, "GET /{bucket}?uploads HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.contains("ListMultipartUploadsResult"), "{text}");
    text
}

#[test]
fn nothing_stays_of_uploads_that_a_signal_ends() {
    const CHILD: &str = "ASDF_TEST_UPLOAD_CHILD";
    if let Some(is_abandoned) = std::env::var_os(CHILD) {
        let key = if is_abandoned == "1" { "abandoned" } else { "killed" };
        let mut upload = s3("MOTO").upload(&url("s3", &format!("written/{key}.asdf"))).unwrap();
        upload.write_all(&vec![0; 40 << 20]).unwrap();
        if is_abandoned == "1" {
            asdf_remote::abandon_uploads();
        }
        std::process::exit(3);
    }
    for is_abandoned in ["0", "1"] {
        let child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "nothing_stays_of_uploads_that_a_signal_ends"])
            .env(CHILD, is_abandoned)
            .output()
            .unwrap();
        assert_eq!(child.status.code(), Some(3), "{}", String::from_utf8_lossy(&child.stdout));
    }
    let found = unfinished_uploads();
    assert!(found.contains("written/killed.asdf"), "{found}");
    assert!(!found.contains("written/abandoned.asdf"), "{found}");
}

#[test]
fn credentials_are_found_in_profiles() {
    let folder = tempfile::tempdir().unwrap();
    let [(_, id), (_, secret)] = keys();
    let answer = format!(
        r#"{{"Version":1,"AccessKeyId":"{id}","SecretAccessKey":"{secret}","Expiration":"2099-01-01T00:00:00Z"}}"#
    );
    let config = format!(
        "[default]\nendpoint_url = {0}\n[profile process]\nendpoint_url = {0}\nregion = us-east-1\n\
         credential_process = printf '{answer}'\n[profile broken]\nendpoint_url = {0}\n\
         credential_process = false\n[profile sso]\nsso_session = x\n",
        variable("S3S")
    );
    std::fs::write(folder.path().join("config"), config).unwrap();
    let keys = format!("[default]\naws_access_key_id = {id}\naws_secret_access_key = {secret}\n");
    std::fs::write(folder.path().join("credentials"), keys).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let variables = || {
        vec![
            ("AWS_CONFIG_FILE".to_owned(), path("config")),
            ("AWS_SHARED_CREDENTIALS_FILE".to_owned(), path("credentials")),
        ]
    };
    let file = url("s3", "many/exposure_0000.asdf");
    let open = |remote: Remote| {
        remote.open(&file).and_then(|file| file.get::<f64>("/roman/meta/exposure/exposure_time"))
    };
    assert_eq!(open(remote().environment(variables())).unwrap(), 1000.0);
    assert_eq!(open(remote().environment(variables()).profile("process")).unwrap(), 1000.0);
    let mut named = variables();
    named.push(("AWS_PROFILE".to_owned(), "process".to_owned()));
    assert_eq!(open(remote().environment(named)).unwrap(), 1000.0);
    for (profile, words) in [
        ("broken", "credential_process = false` failed"),
        ("sso", "`sso_session`, which is not supported"),
        ("none", "no AWS profile 'none'"),
    ] {
        let error = open(remote().environment(variables()).profile(profile)).unwrap_err();
        assert!(error.to_string().contains(words), "{profile}: {error}");
    }
    // Without credentials, and with wrong ones.
    let begin = std::time::Instant::now();
    for anonymous in [true, false] {
        let wrong = [("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE"), ("AWS_SECRET_ACCESS_KEY", "wrong")];
        let remote = remote().environment(wrong).endpoint_url(variable("S3S")).anonymous(anonymous);
        let error = open(remote).unwrap_err();
        assert!(error.kind() == Kind::Io && error.to_string().contains("permission"), "{error}");
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "no service for credentials is asked");
}

#[test]
fn a_server_without_ranges_is_read_whole_up_to_a_size() {
    let nginx = variable("NGINX");
    let opened = remote().open(&format!("{nginx}/no-range/arrays_10000.asdf")).unwrap();
    assert_eq!(opened.array("/arrays/a00000").unwrap().len(), 16);
    let error = remote().open(&format!("{nginx}/no-range/l2_plain.asdf")).unwrap_err();
    assert!(error.to_string().contains("does not support range requests"), "{error}");
}

#[test]
fn certificates_are_those_of_the_environment() {
    const CHILD: &str = "ASDF_TEST_TLS_CHILD";
    let url = format!("{}/many/exposure_0000.asdf", variable("NGINX_TLS"));
    if std::env::var_os(CHILD).is_some() {
        remote().open(&url).unwrap();
        return;
    }
    let error = remote().open(&url).unwrap_err();
    assert!(error.to_string().contains("certificate"), "{error}");
    // The variable is set before the program starts.
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "certificates_are_those_of_the_environment"])
        .env(CHILD, "1")
        .env("SSL_CERT_FILE", variable("CA"))
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
}

#[test]
fn references_are_read_from_the_same_folder() {
    let folder = PathBuf::from(variable("SCRATCH")).join("references");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    made(7).write(folder.join("below/other.asdf")).unwrap();
    let mut file = made(8);
    file.set("/there", &asdf_core::value::Reference::new("below/other.asdf#/value")).unwrap();
    file.set("/outside", &asdf_core::value::Reference::new("../changes.asdf#/value")).unwrap();
    file.write(folder.join("main.asdf")).unwrap();
    WriteOptions::new()
        .storage(asdf_core::file::Storage::External)
        .write(&made(9), folder.join("exploded.asdf"))
        .unwrap();
    let url = format!("{}/scratch/references", variable("NGINX"));
    let opened = remote().open(&format!("{url}/main.asdf")).unwrap();
    let resolve = |key: &str| opened.resolve(opened.at(key).unwrap());
    assert_eq!(resolve("/there").unwrap().view().as_u64(), Some(7));
    let error = resolve("/outside").unwrap_err();
    assert!(error.to_string().contains("outside the folder of this file"), "{error}");
    let exploded = remote().open(&format!("{url}/exploded.asdf")).unwrap();
    assert_eq!(exploded.array("/data").unwrap().read::<u32>().unwrap()[..2], [9, 9]);
}
