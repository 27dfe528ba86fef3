//! Files that refer to other files: the allowed folders, and the limits that several files share.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use asdf_core::error::Hint;
use asdf_core::file::Storage;
use asdf_core::value::{FromNode as _, Reference};
use asdf_core::{Compression, File, Limits, NdArray, OpenOptions, Result, WriteOptions, error};

/// The reason in the message about a file outside the folder of the referring file.
const OUTSIDE: &str = "which is outside the folder of this file";

/// Creates a folder with the folders `own`, `own/sub`, `shared/deep` and `secret`, and returns its real path. Each of them
/// has a `data.asdf` with an array and the name of its folder.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let held = tempfile::tempdir().unwrap();
    let folder = held.path().canonicalize().unwrap();
    for (number, name) in (0_u8..).zip(["own", "own/sub", "shared", "shared/deep", "secret"]) {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        write(&folder.join(name).join("data.asdf"), name, number);
    }
    (held, folder)
}

fn write(path: &Path, name: &str, number: u8) {
    let mut file = File::new();
    file.set("/name", name).unwrap();
    file.set("/data", &NdArray::new(&[3], &[number; 3]).unwrap()).unwrap();
    file.write(path).unwrap();
}

/// Writes a file with an array and a reference in the file that a URI refers to.
fn naming(path: &Path, uri: &str) {
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
         array: !core/ndarray-1.1.0 {{source: '{uri}', datatype: uint8, byteorder: little, shape: [3]}}\n\
         name: {{$ref: '{uri}#/name'}}\n...\n"
    );
    std::fs::write(path, text).unwrap();
}

/// Returns the targets of the array and the reference.
fn found(file: &File) -> (Result<u8>, Result<String>) {
    let array = file.array("/array").and_then(|array| Ok(array.read::<u8>()?[0]));
    let name = file.resolve(file.at("/name").unwrap());
    (array, name.map(|name| name.view().as_str().unwrap().to_owned()))
}

#[test]
fn files_of_folders_that_are_allowed_are_read() {
    let (_held, folder) = folder();
    symlink(folder.join("secret"), folder.join("shared/way_out")).unwrap();
    symlink(folder.join("secret/data.asdf"), folder.join("shared/link.asdf")).unwrap();
    symlink(folder.join("shared"), folder.join("own/way_there")).unwrap();
    symlink(folder.join("shared"), folder.join("other_name")).unwrap();
    let at = folder.display();
    let path = folder.join("own/sub/x.asdf");
    let options = OpenOptions::new().allow_folder(folder.join("own/none"));
    let options =
        options.allow_folder(folder.join("other_name")).allow_folder(folder.join("own/way_there/deep"));
    // The URI, the result with the allowed folders, and the error without them.
    for (uri, expected, refused) in [
        ("data.asdf", Ok("own/sub"), None),
        ("../../shared/data.asdf", Ok("shared"), Some(OUTSIDE)),
        ("../../shared/deep/../data.asdf", Ok("shared"), Some(OUTSIDE)),
        ("../../other_name/deep/data.asdf", Ok("shared/deep"), Some(OUTSIDE)),
        ("%2e%2e/../shared/deep/data.asdf", Ok("shared/deep"), Some(OUTSIDE)),
        ("../sub/data.asdf", Ok("own/sub"), Some(OUTSIDE)),
        (&format!("file://{at}/shared/data.asdf"), Ok("shared"), Some(OUTSIDE)),
        (&format!("file:{at}/own/../shared/data.asdf"), Ok("shared"), Some(OUTSIDE)),
        (&format!("file://{at}/own/sub/data.asdf"), Ok("own/sub"), None),
        ("../data.asdf", Err("is outside"), Some(OUTSIDE)),
        ("../../secret/data.asdf", Err("is outside"), Some(OUTSIDE)),
        ("../../shared/../secret/data.asdf", Err("is outside"), Some(OUTSIDE)),
        ("../../shared_not/data.asdf", Err("is outside"), Some(OUTSIDE)),
        (&format!("file://{at}/secret/data.asdf"), Err("is outside"), Some(OUTSIDE)),
        (&format!("{at}/shared/data.asdf"), Err("is outside"), Some(OUTSIDE)),
        (&format!("//localhost{at}/shared/data.asdf"), Err("is outside"), Some(OUTSIDE)),
        ("../../shared/link.asdf", Err("leads outside"), Some(OUTSIDE)),
        ("../../shared/way_out/data.asdf", Err("leads outside"), Some(OUTSIDE)),
        // `..` removes the name before it, even if that is a symbolic link.
        ("../../shared/way_out/../data.asdf", Ok("shared"), Some(OUTSIDE)),
    ] {
        naming(&path, uri);
        let (array, name) = found(&options.open(&path).unwrap());
        match expected {
            Ok(folder) => {
                assert_eq!(name.unwrap(), folder, "{uri}");
                assert!(array.is_ok(), "{uri}: {array:?}");
            }
            Err(why) => {
                for error in [array.unwrap_err(), name.unwrap_err()] {
                    assert_eq!(error.kind(), error::Kind::Unsupported, "{uri}: {error}");
                    let expected = format!("which {why} the folder of this file and the allowed folders");
                    assert!(error.message().contains(&expected), "{uri}: {error}");
                    assert!(
                        matches!(error.hint(), Some(Hint::AllowFolder { allowed: 1.. })),
                        "{uri}: {error}"
                    );
                }
            }
        }
        let (array, name) = found(&File::open(&path).unwrap());
        for error in [array.err(), name.err()] {
            assert_eq!(error.is_some(), refused.is_some(), "{uri}: {error:?}");
            let Some((error, refused)) = error.zip(refused) else { continue };
            assert!(error.message().ends_with(refused), "{uri}: {error}");
            assert_eq!(
                error.hint().map(ToString::to_string).as_deref(),
                Some(
                    "allow another folder with `OpenOptions::allow_folder`; by default only files in the folder of \
                     this file, or below it, are read"
                )
            );
        }
    }
    // A symbolic link in the folder of the file can lead to an allowed folder.
    naming(&path, "way/data.asdf");
    symlink(folder.join("shared"), folder.join("own/sub/way")).unwrap();
    assert_eq!(found(&options.open(&path).unwrap()).1.unwrap(), "shared");
    let (array, name) = found(&File::open(&path).unwrap());
    assert!(array.unwrap_err().message().ends_with("which leads outside the folder of this file"));
    assert!(name.unwrap_err().message().ends_with("which leads outside the folder of this file"));
    // An allowed folder that does not exist has no files.
    naming(&path, "../none/data.asdf");
    let error = found(&options.open(&path).unwrap()).0.unwrap_err();
    assert_eq!(error.kind(), error::Kind::Io, "{error}");
    assert_eq!(error.file(), Some(folder.join("own/none/data.asdf").as_path()));
    // A file without a path is in the working directory.
    naming(&path, "../../shared/data.asdf");
    let error = found(&OpenOptions::new().allow_folder("").open(&path).unwrap()).0.unwrap_err();
    assert!(error.message().contains("which is outside the folder of this file"), "{error}");
}

#[test]
fn files_that_are_led_to_may_lead_to_the_same_folders() {
    let (_held, folder) = folder();
    let path = folder.join("own/x.asdf");
    let mut first = File::new();
    first.set("/name", &Reference::new("../shared/next.asdf#/name")).unwrap();
    first.write(&path).unwrap();
    naming(&folder.join("shared/next.asdf"), "../secret/data.asdf");
    let options = OpenOptions::new().allow_folder(folder.join("shared"));
    let file = options.open(&path).unwrap();
    let error = file.resolve(file.at("/name").unwrap()).unwrap_err();
    assert!(error.file().is_some_and(|file| file.ends_with("shared/next.asdf")), "{error}");
    let mut file = options.allow_folder(folder.join("secret")).open(&path).unwrap();
    assert_eq!(file.resolve(file.at("/name").unwrap()).unwrap().view().as_str(), Some("secret"));
    // The same holds for the file that an update reopens.
    file.set("/note", "new").unwrap();
    file.update().unwrap();
    assert_eq!(file.resolve_references().unwrap(), 1);
    assert_eq!(file.get::<String>("/name").unwrap(), "secret");
}

/// When a file is written to another folder, URIs of files in allowed folders are rewritten, and other data is copied.
#[test]
fn data_of_folders_that_are_allowed_stay_there() {
    let (_held, folder) = folder();
    std::fs::create_dir_all(folder.join("new/below")).unwrap();
    let path = folder.join("own/x.asdf");
    let absolute = format!("file://{}/shared/data.asdf", folder.display());
    for (uri, expected) in [
        ("../shared/data.asdf", Some("../../shared/data.asdf")),
        (absolute.as_str(), Some(absolute.as_str())),
        ("sub/data.asdf", None),
    ] {
        naming(&path, uri);
        let options = OpenOptions::new().allow_folder(folder.join("shared"));
        let (new, file) = (folder.join("new/below/x.asdf"), options.open(&path).unwrap());
        file.write(&new).unwrap();
        let copy = options.open(&new).unwrap();
        assert_eq!(copy.array("/array").unwrap().external(), expected, "{uri}");
        assert_eq!(found(&copy).0.unwrap(), found(&file).0.unwrap(), "{uri}");
    }
}

/// A file shares its limit on decoded bytes with the files that it refers to.
#[test]
fn what_is_decoded_of_several_files_counts_together() {
    let held = tempfile::tempdir().unwrap();
    let path = held.path().join("x.asdf");
    let mut file = File::new();
    for name in ["/a", "/b"] {
        let array = NdArray::new(&[1000], &[7_u8; 1000]).unwrap();
        file.set(name, &array.with_compression(Compression::ZLIB).unwrap()).unwrap();
    }
    file.write(held.path().join("other.asdf")).unwrap();
    file.set("/c", &Reference::new("other.asdf#/a")).unwrap();
    let exploded = WriteOptions::new().storage_at("/b", Storage::External);
    exploded.write(&file, &path).unwrap();
    let opened = |total: u64| {
        let mut limits = Limits::default();
        limits.decoded_total = Some(total);
        OpenOptions::new().limits(limits).open(&path).unwrap()
    };
    let read = |file: &File| -> Vec<bool> {
        let referred = file.resolve(file.at("/c").unwrap()).unwrap();
        let arrays = [file.array("/a"), file.array("/b"), NdArray::from_node(referred.view())];
        let read = arrays.into_iter().map(|array| array.and_then(|array| array.read::<u8>()));
        read.map(|values| match values {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.kind(), error::Kind::Limit, "{error}");
                assert!(error.message().contains("the total of "), "{error}");
                false
            }
        })
        .collect()
    };
    assert_eq!(read(&opened(999)), [false, false, false]);
    assert_eq!(read(&opened(1000)), [true, false, false]);
    assert_eq!(read(&opened(2000)), [true, true, false]);
    assert_eq!(read(&opened(3000)), [true, true, true]);
}
