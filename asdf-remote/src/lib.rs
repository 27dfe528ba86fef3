//! Opens [ASDF](https://docs.rs/asdf-core) files in object stores and on web servers, and reads only the bytes that are
//! needed.
//!
//! ```no_run
//! use asdf_core::array::Slice;
//!
//! let file = asdf_remote::open("s3://bucket/l2/r0000101_cal.asdf")?;
//! // One request so far, for the first 64 KiB. One more reads the rows of the slice.
//! let cutout = file.array("/roman/data")?.slice(&[Slice::from(2000..2064), Slice::from(1000..1064)])?;
//! let pixels: Vec<f32> = cutout.read()?;
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # URLs
//!
//! | URL | store | credentials |
//! |---|---|---|
//! | `s3://BUCKET/KEY`, `s3a://` | Amazon S3, and servers with its API | environment, `~/.aws/credentials` and `~/.aws/config` with profiles and `credential_process`, web identity, containers |
//! | `gs://BUCKET/KEY` | Google Cloud Storage | `GOOGLE_APPLICATION_CREDENTIALS`, `GOOGLE_SERVICE_ACCOUNT_*`, application default credentials |
//! | `az://CONTAINER/KEY`, `abfs://`, `abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY` | Azure Blob Storage | `AZURE_STORAGE_*`, `AZURE_CLIENT_*` |
//! | `https://`, `http://` | a web server that answers range requests | none, or those in the URL |
//! | `file:///PATH` | a file on disk | |
//!
//! Keys are taken literally, as by the programs `aws` and `gsutil`: `%20` and `?` have no meaning in them. If no
//! credentials are found, requests are anonymous, as public buckets need. No metadata service is asked.
//!
//! `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` and `SSL_CERT_FILE` (more certificates) apply.
//!
//! # Requests
//!
//! Opening a file takes one request, for its first 64 KiB. It also returns size and ETag: there is no `HEAD`. Later
//! requests name the ETag in `If-Match`. A file that changes while it is open is an error. Ranges with a gap of less than
//! 64 KiB are requested as one, or of less than 1 MiB if they are many. Up to 64 requests run at the same time. From web servers that support it, several
//! small ranges are one request.
//!
//! What was read is kept in a cache of [limited size](Remote::cache_size), so no byte is requested twice. Threads that
//! need the same bytes at the same time share one request. [`Remote::cache_folder`] keeps it for later processes too. A request is tried up to three times within about 30 seconds;
//! [`Remote::most_bytes`] limits the bytes of all requests.
//!
//! # Writing
//!
//! [`Remote::upload`] writes a file to an object store.
//!
//! ```no_run
//! use asdf_core::{File, WriteOptions};
//!
//! let file = File::open("x.asdf")?;
//! let mut upload = asdf_remote::Remote::new().upload("s3://bucket/x.asdf")?;
//! WriteOptions::new().write_to(&file, &mut upload)?;
//! upload.finish()?;
//! # Ok::<(), asdf_core::Error>(())
//! ```
//!
//! # Threads and runtimes
//!
//! All calls block. A runtime with two threads, which is created on the first request, does the network work. Calls are
//! also allowed on a thread of a tokio runtime of the program, but they block that thread: use `spawn_blocking`. A program
//! that must not block can drive [`PartialSource`](asdf_core::source::PartialSource) with its own requests.
//!
//! A process that is forked can read files that its parent opened. It makes a runtime, connections and a cache of its own.

mod address;
mod aws_profile;
mod backend;
mod cache;
mod client;
mod disk_cache;
mod entry;
mod environment;
mod error;
mod flights;
mod http_file;
mod ini;
mod listing;
mod multipart;
mod object;
mod remote;
mod runtime;
mod settings;
mod source;
mod state;
mod stats;
mod stores;
mod tries;
mod unfinished;
mod upload;
mod version;
mod web_index;
mod windows;

pub use address::is_url;
pub use entry::Entry;
pub use error::from_store;
pub use remote::{Remote, open};
pub use stats::Stats;
pub use unfinished::abandon_uploads;
pub use upload::Upload;
