//! URLs instead of paths, on a web server of the test.

#![cfg(feature = "remote")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};

use asdf_core::value::Reference;
use asdf_core::{File, NdArray};

#[allow(dead_code, reason = "the faults are for other tests")]
#[path = "../../asdf-remote/tests/server/mod.rs"]
mod server;
use server::Server;

fn file(value: u32) -> File {
    let mut file = File::new();
    file.set_with_parents("/meta/exposure", &value).unwrap();
    let values: Vec<u32> = (0..250_000).map(|number| number + value).collect();
    file.set("/image", &NdArray::from_vec(&[500, 500], values).unwrap()).unwrap();
    file
}

fn run(arguments: &[&str], folder: &Path) -> Output {
    let variables = ["AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_ENDPOINT_URL", "http_proxy", "HTTP_PROXY"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_asdf"));
    for variable in variables {
        command.env_remove(variable);
    }
    command
        .env("HOME", folder)
        .env("NO_PROXY", "127.0.0.1")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(text).unwrap()
}

#[test]
fn reading_commands_take_urls() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    file(5).write(folder.join("x.asdf")).unwrap();
    file(6).write(folder.join("y.asdf")).unwrap();
    let (x, y) =
        (std::fs::read(folder.join("x.asdf")).unwrap(), std::fs::read(folder.join("y.asdf")).unwrap());
    let (x_server, y_server) = (Server::start(x), Server::start(y));
    let (x, y) = (format!("{}/none/x.asdf", x_server.url), format!("{}/none/y.asdf", y_server.url));
    let s3 = ["--endpoint-url", x_server.url.as_str(), "--anonymous"];
    for command in [
        &["info", "X"][..],
        &["info", "--json", "X"],
        &["get", "X", "/meta/exposure"],
        &["ls", "X", "Y", "--field", "/meta/exposure", "--format", "csv"],
        &["ls", "X", "--where", "/meta/exposure = 5", "--json"],
        &["validate", "X", "Y"],
        &["query", "X", ".meta.exposure"],
        &["stats", "X"],
        &["head", "X", "/image"],
        &["search", "exposure", "X"],
        &["tags", "X"],
        &["dump", "X"],
        &["diff", "X", "Y"],
        &["history", "X"],
        &["export", "X", "/image", "--slice", "3:5, 7", "--to", "csv"],
    ] {
        let with = |x: &str, y: &str, more: &[&str]| {
            let words = command.iter().map(|word| match *word {
                "X" => x,
                "Y" => y,
                word => word,
            });
            let output = run(&words.chain(more.iter().copied()).collect::<Vec<_>>(), folder);
            let code = output.status.code();
            // The names differ, of course.
            (text(&output).replace(x, "X").replace(y, "Y"), code)
        };
        let local = with("x.asdf", "y.asdf", &[]);
        assert_eq!(with(&x, &y, &[]), local, "{command:?}");
        if !command.contains(&"Y") {
            assert_eq!(with("s3://none/x.asdf", "s3://none/y.asdf", &s3), local, "{command:?}");
        }
    }
    let picture = run(&["preview", &x, "-o", "x.png"], folder);
    assert!(picture.status.success() && folder.join("x.png").exists(), "{}", text(&picture));
    let converted = run(&["convert", &x, "converted.asdf", "--compression", "lz4"], folder);
    assert!(converted.status.success(), "{}", text(&converted));
    assert_eq!(File::open(folder.join("converted.asdf")).unwrap().get::<u32>("/meta/exposure").unwrap(), 5);
}

#[test]
fn a_fits_file_with_an_asdf_file_can_be_remote() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console/files/jwst.fits");
    std::fs::copy(&from, folder.join("x.fits")).unwrap();
    let server = Server::start(std::fs::read(&from).unwrap());
    let url = format!("{}/none/x.fits", server.url);
    for command in [
        &["info", "X"][..],
        &["get", "X", "/meta/telescope"],
        &["stats", "X"],
        &["head", "X", "/dq"],
        &["export", "X", "/data", "--slice", "1, 2:4", "--to", "csv"],
        &["validate", "X"],
    ] {
        let with = |x: &str| {
            let words = command.iter().map(|word| if *word == "X" { x } else { word });
            let output = run(&words.collect::<Vec<_>>(), folder);
            (text(&output).replace(x, "X"), output.status.code())
        };
        let local = with("x.fits");
        assert_eq!(local.1, Some(0), "{}", local.0);
        assert_eq!(with(&url), local, "{command:?}");
    }
    let converted = run(&["convert", &url, "x.asdf"], folder);
    assert!(converted.status.success(), "{}", text(&converted));
    let plain = File::open(folder.join("x.asdf")).unwrap();
    assert_eq!(plain.array("/data").unwrap().read::<f32>().unwrap()[23], 5.75);
}

#[test]
fn requests_are_counted_and_limited() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(file(5).to_bytes().unwrap());
    let url = format!("{}/none/x.asdf", server.url);
    let get = |more: &[&str]| run(&[&["get", &url, "/meta/exposure"][..], more].concat(), folder.path());
    assert_eq!(text(&get(&["--stats"])), "5\n1 request, 65536 bytes\n");
    let limited = get(&["--limit-fetched-size", "60K"]);
    assert_eq!(limited.status.code(), Some(1));
    assert!(text(&limited).contains("more than the limit of 61440"), "{}", text(&limited));
}

#[test]
fn the_cache_folder_serves_later_commands() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(file(5).to_bytes().unwrap());
    let export = |url: &str, cache: &str| {
        let command = [
            "export",
            url,
            "/image",
            "--slice",
            "100:300",
            "--to",
            "csv",
            "--stats",
            "--cache-folder",
            cache,
        ];
        text(&run(&command, folder.path()))
    };
    let url = format!("{}/none/x.asdf", server.url);
    let (first, second) = (export(&url, "cache"), export(&url, "cache"));
    let rows = first.lines().count() - 1;
    assert_eq!(first.lines().take(rows).collect::<Vec<_>>(), second.lines().take(rows).collect::<Vec<_>>());
    assert!(first.ends_with("2 requests, 465536 bytes\n"), "{first}");
    assert!(second.ends_with("1 request, 65536 bytes\n"), "{second}");
    // The rows of the cache are from before the change.
    let changed = Server::start(file(6).to_bytes().unwrap());
    let other = export(&format!("{}/none/x.asdf", changed.url), "cache");
    assert!(other.ends_with("2 requests, 465536 bytes\n") && other != first, "{other}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    let refused = export(&url, "file/cache");
    assert!(refused.contains("creating the folder of the cache"), "{refused}");
}

#[test]
fn references_lead_to_allowed_urls() {
    let folder = tempfile::tempdir().unwrap();
    let other = Server::start(file(7).to_bytes().unwrap());
    let target = format!("{}/none/y.asdf", other.url);
    let mut main = File::new();
    main.set("/there", &Reference::new(format!("{target}#/meta/exposure"))).unwrap();
    let server = Server::start(main.to_bytes().unwrap());
    let url = format!("{}/none/x.asdf", server.url);
    let out = folder.path().join("out.asdf");
    let implode = |more: &[&str]| {
        run(&[&["implode", "-r", "-f", &url, "-o", "out.asdf"][..], more].concat(), folder.path())
    };
    let refused = implode(&[]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused));
    assert!(text(&refused).contains("pass --allow-url URL"), "{}", text(&refused));
    assert_eq!(other.take_requests().len(), 0, "nothing is requested");
    let allowed = implode(&["--allow-url", &format!("{}/none", other.url)]);
    assert!(allowed.status.success(), "{}", text(&allowed));
    assert_eq!(File::open(&out).unwrap().get::<u32>("/there").unwrap(), 7);
    let elsewhere = implode(&["--allow-url", &format!("{}/no", other.url)]);
    assert_eq!(elsewhere.status.code(), Some(1), "{}", text(&elsewhere));
    let wrong = implode(&["--allow-url", "y"]);
    assert!(text(&wrong).contains("expected a URL"), "{}", text(&wrong));
}

#[test]
fn mistakes_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(file(5).to_bytes().unwrap());
    let at = |path: &str| format!("{}/{path}", server.url);
    let (missing, fine) = (at("always404/x.asdf"), at("none/x.asdf"));
    let cases: &[(&[&str], i32, &str)] = &[
        (&["info", &missing], 2, "always404/x.asdf: no such file"),
        (&["set", &fine, "/a", "1"], 2, "a remote file cannot be changed in place"),
        (&["defragment", &fine], 2, "expected a name for the output of a remote file"),
        (&["explode", &fine, "-o", "s3://b/x.asdf"], 2, "cannot write several files to a URL"),
        (&["convert", &fine, &fine, "-f"], 2, "cannot write to this URL"),
        (&["info", "s3://"], 2, "does not name a bucket"),
        (&["info", "s3://bucket/x.asdf", "--profile", "none"], 2, "found no AWS profile 'none'"),
    ];
    for (arguments, code, words) in cases {
        let output = run(arguments, folder.path());
        let found = text(&output);
        assert!(output.status.code() == Some(*code) && found.contains(words), "{arguments:?}: {found}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}

/// Runs commands with the path and with the URL of a file of the tests of the console, and expects the same output.
#[cfg(feature = "wcs")]
fn same_at_url(name: &str, folder: &Path, commands: &[&[&str]]) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/console/files").join(name);
    std::fs::copy(&from, folder.join("x.asdf")).unwrap();
    let server = Server::start(std::fs::read(&from).unwrap());
    let url = format!("{}/none/x.asdf", server.url);
    let s3 = ["--endpoint-url", server.url.as_str(), "--anonymous"];
    for command in commands {
        let with = |x: &str, more: &[&str]| {
            let words = command.iter().map(|word| if *word == "X" { x } else { word });
            let output = run(&words.chain(more.iter().copied()).collect::<Vec<_>>(), folder);
            (text(&output).replace(x, "X"), output.status.code())
        };
        let local = with("x.asdf", &[]);
        assert_eq!(local.1, Some(0), "{command:?}: {}", local.0);
        assert_eq!(with(&url, &[]), local, "{command:?}");
        assert_eq!(with("s3://none/x.asdf", &s3), local, "{command:?}");
    }
}

#[cfg(feature = "wcs")]
#[test]
fn world_coordinates_take_urls() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("stars.csv"), "name,ra,dec\nA,10.69,41.27\nB,10.68,41.265\n").unwrap();
    let commands: &[&[&str]] = &[
        &["wcs", "X"],
        &["wcs", "X", "--json"],
        &["wcs", "X", "--steps"],
        &["wcs", "X", "99.5", "49.5"],
        &["wcs", "X", "/meta/wcs", "0", "0", "199", "99"],
        &["wcs", "X", "--world", "10.6847", "41.2688"],
        &["wcs", "X", "--world", "--json", "0:42:44.328", "+41:16:07.68"],
        &["wcs", "X", "--world", "--points", "stars.csv"],
        &["footprint", "X"],
        &["footprint", "X", "--format", "ds9"],
        &["footprint", "X", "--format", "geojson", "--points-per-edge", "3"],
        &["footprint", "X", "--format", "csv"],
        &["footprint", "X", "--json"],
    ];
    same_at_url("field.asdf", folder, commands);
}

#[cfg(feature = "wcs")]
#[test]
fn cutouts_take_urls() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sky = ["cutout", "X", "--ra", "23.4625", "--dec", "30.66", "--size", "14.4arcsec,10.8arcsec"];
    let pixel = ["cutout", "X", "--pixel", "3,2", "--size", "4,3", "--only-cut"];
    let parts = ["sky.asdf", "pixel.asdf", "part.fits"];
    let output = |part: usize| ["--force", "-o", parts[part]];
    let commands =
        [[&sky[..], &output(0)].concat(), [&pixel[..], &output(1)].concat(), [&sky[..], &output(2)].concat()];
    // The last run is that of S3.
    for (part, command) in parts.iter().zip(&commands) {
        same_at_url("mosaic.asdf", folder, &[command]);
        let remote = std::fs::read(folder.join(part)).unwrap();
        let local: Vec<&str> =
            command.iter().map(|word| if *word == "X" { "x.asdf" } else { word }).collect();
        assert!(run(&local, folder).status.success());
        assert!(std::fs::read(folder.join(part)).unwrap() == remote, "{part} differs");
    }
}

#[cfg(feature = "wcs")]
#[test]
fn world_coordinates_of_a_missing_url_are_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Vec::new());
    let missing = format!("{}/always404/x.asdf", server.url);
    let expected = format!("{missing}: no such file\n");
    for command in [
        &["wcs", &missing][..],
        &["wcs", &missing, "0", "0"],
        &["wcs", &missing, "--json"],
        &["footprint", &missing],
        &["cutout", &missing, "--pixel", "3,2", "--size", "4", "-o", "part.asdf"],
        &["cutout", &missing, "--ra", "10", "--dec", "20", "--size", "4", "-o", "part.fits"],
    ] {
        let output = run(command, folder.path());
        assert_eq!((text(&output).as_str(), output.status.code()), (&*expected, Some(2)), "{command:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}

#[cfg(feature = "wcs")]
#[test]
fn a_cutout_requests_only_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let mosaic = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/console/files/mosaic.asdf");
    let mut file = File::open(mosaic).unwrap();
    // 16 MB in two arrays, and 2 MB in another one.
    let values: Vec<f32> = (0..2_000_000_u32).map(|number| number as f32).collect();
    let wcs = asdf_core::Node::from_ref(file.at("/mosaic/meta/wcs").unwrap()).unwrap();
    file = File::new();
    file.set_with_parents("/meta/wcs", &wcs).unwrap();
    file.set("/meta/wcs/pixel_shape", &[2000, 1000]).unwrap();
    file.set("/data", &NdArray::from_vec(&[1000, 2000], values.clone()).unwrap()).unwrap();
    file.set("/err", &NdArray::from_vec(&[1000, 2000], values).unwrap()).unwrap();
    file.set("/other", &NdArray::from_vec(&[2000, 1000], vec![1_u8; 2_000_000]).unwrap()).unwrap();
    let bytes = file.to_bytes().unwrap();
    assert!(bytes.len() > 18_000_000);
    let server = Server::start(bytes);
    let url = format!("{}/none/x.asdf", server.url);
    let command =
        ["cutout", &url, "--pixel", "500,500", "--size", "20", "--only-cut", "--stats", "-o", "cut.asdf"];
    let output = run(&command, folder.path());
    assert!(output.status.success(), "{}", text(&output));
    let text = text(&output);
    let fetched =
        text.lines().find_map(|line| line.strip_suffix(" bytes")?.rsplit(' ').next()?.parse::<u64>().ok());
    assert!(fetched.is_some_and(|fetched| fetched < 2_000_000), "{text}");
    let cut = File::open(folder.path().join("cut.asdf")).unwrap();
    let data = cut.array("/err").unwrap();
    assert_eq!(data.shape(), [20, 20]);
    assert_eq!(data.read::<f32>().unwrap()[..2], [490.0 * 2000.0 + 490.0, 490.0 * 2000.0 + 491.0]);
    assert!(cut.at("/other").is_err());
}
