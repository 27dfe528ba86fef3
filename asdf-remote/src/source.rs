//! A remote file as a source of bytes.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use asdf_core::source::{Cost, PartialSource, Progress, Source};
use asdf_core::{Error, Result};
use bytes::{Bytes, BytesMut};
use tokio::task::JoinSet;

use crate::address::Address;
use crate::backend::Backend;
use crate::cache::FileId;
use crate::disk_cache::Parts;
use crate::state::{PARALLEL, State};
use crate::version::Version;
use crate::{runtime, windows};

/// The bytes that are requested when a file is opened.
const FIRST: u64 = 64 << 10;

/// The smallest request of a single range: more bytes take hardly longer.
const LEAST: u64 = 64 << 10;

/// The largest request. Longer ranges are several requests at the same time.
const LARGEST: u64 = 8 << 20;

/// The bytes of all requests that are in memory at the same time, unless one range is longer.
const TOGETHER: u64 = 64 << 20;

/// Ranges with fewer bytes between them are requested as one.
const NEAR: u64 = Cost::REMOTE.gap / 16;

/// Several ranges with fewer bytes than this are one request, if the server supports that.
const FEW: u64 = 4 << 20;

/// The most ranges in one request. Servers refuse long lists.
const MOST: usize = 100;

/// A file in a store, read by ranges.
pub(crate) struct RemoteSource {
    address: Address,
    url: String,
    version: Version,
    /// The first bytes of the file.
    first: Bytes,
    /// The parts of the file in the cache on disk.
    parts: Option<Parts>,
    access: Arc<Access>,
    /// What a forked process uses instead.
    forked: Mutex<Option<Arc<Access>>>,
}

/// How a process reads the file.
struct Access {
    state: Arc<State>,
    backend: Backend,
    id: FileId,
    /// Where the last reads ended and how long they were, to read ahead if another one begins there.
    ends: Mutex<Vec<(u64, u64)>>,
}

impl fmt::Debug for RemoteSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RemoteSource({}, {} bytes)", self.url, self.version.size)
    }
}

impl Access {
    fn new(state: Arc<State>, backend: Backend, url: &str, etag: Option<&str>) -> Arc<Self> {
        let id = state.cache().id(url, etag);
        Arc::new(Self { state, backend, id, ends: Mutex::default() })
    }

    /// A range that is at least as long as a small request, and longer if reads follow each other. It stops at `end`.
    fn further(&self, range: Range<u64>, end: u64) -> Range<u64> {
        /// The number of threads whose reads are followed.
        const READERS: usize = 16;
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let before = ends.iter().position(|&(end, _)| end == range.start).map(|at| ends.remove(at).1);
        let asked = range.end - range.start;
        let size = before.map_or(0, |before| (before * 2).min(LARGEST)).max(asked).max(LEAST);
        let range = range.start..range.start.saturating_add(size).min(end);
        if ends.len() == READERS {
            ends.remove(0);
        }
        ends.push((range.end, range.end - range.start));
        range
    }
}

impl RemoteSource {
    /// Requests the first bytes of a file.
    pub(crate) fn open(state: &Arc<State>, address: Address) -> Result<Self> {
        let (state, url) = (state.here(), address.url());
        let backend = Backend::new(&state, &address)?;
        state.allow(FIRST)?;
        let (file, limit) = (backend.clone(), state.clone());
        let part = runtime::wait(async move {
            let _permit = limit.permit().await;
            file.first(FIRST).await
        })??;
        state.counters.add_bytes(part.bytes.len() as u64);
        if part.start != 0 || (part.bytes.len() as u64) < part.version.size.min(FIRST) {
            return Err(Error::malformed("the server returned other bytes than it was asked for"));
        }
        let etag = part.version.etag.as_deref();
        let disk = state.disk.as_ref().zip(etag);
        let parts = disk.map(|(disk, etag)| disk.parts(&url, etag)).transpose()?;
        let access = Access::new(state, backend, &url, etag);
        let (version, first) = (part.version, part.bytes);
        Ok(Self { address, url, version, first, parts, access, forked: Mutex::default() })
    }

    /// Returns how this process reads the file: as the one that opened it, or after a fork with clients of its own.
    fn access(&self) -> Result<Arc<Access>> {
        let state = self.access.state.here();
        if Arc::ptr_eq(&state, &self.access.state) {
            return Ok(self.access.clone());
        }
        let mut forked = self.forked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(access) = forked.as_ref().filter(|access| Arc::ptr_eq(&state, &access.state)) {
            return Ok(access.clone());
        }
        let backend = Backend::new(&state, &self.address)?;
        let access = Access::new(state, backend, &self.url, self.version.etag.as_deref());
        Ok(forked.insert(access).clone())
    }

    /// Returns the bytes of ranges inside the file.
    fn get(&self, ranges: &[Range<u64>], ahead: bool) -> Result<Vec<Bytes>> {
        let access = self.access()?;
        let known = PartialSource::new(self.version.size);
        known.give(0, self.first.clone())?;
        for range in ranges.iter().filter(|range| range.start < range.end) {
            for (at, bytes) in access.state.cache().parts(access.id, range) {
                known.give(at, bytes)?;
            }
        }
        let mut missing = match known.attempt(|| known.read_many(ranges))? {
            Progress::Done(found) => return Ok(found),
            Progress::Needs(missing) => missing,
        };
        if let Some(parts) = &self.parts {
            for (at, bytes) in missing.iter().flat_map(|range| parts.overlapping(range)) {
                access.state.cache().add(access.id, at, &bytes);
                known.give(at, bytes)?;
            }
            missing = match known.attempt(|| known.read_many(ranges))? {
                Progress::Done(found) => return Ok(found),
                Progress::Needs(missing) => missing,
            };
        }
        // Requests at the same time take as long as one, if they are not too many.
        let mut wanted = windows::merge(missing, NEAR, LARGEST);
        if wanted.len() > PARALLEL {
            wanted = windows::merge(wanted, Cost::REMOTE.gap, LARGEST);
        }
        if let ([range], true) = (wanted.as_mut_slice(), ahead) {
            *range = access.further(range.clone(), self.version.size);
        }
        let mut fetched = 0;
        for (range, bytes) in self.fetch(&access, &wanted)? {
            fetched += bytes.len();
            known.give(range.start, bytes)?;
        }
        let found = known.read_many(ranges)?;
        // A few bytes must not keep all of a request in memory.
        let size: usize = found.iter().map(Bytes::len).sum();
        if size < fetched / 2 {
            return Ok(found.iter().map(|bytes| Bytes::copy_from_slice(bytes)).collect());
        }
        Ok(found)
    }

    /// Requests ranges, unless another thread does.
    fn fetch(&self, access: &Access, wanted: &[Range<u64>]) -> Result<Vec<(Range<u64>, Bytes)>> {
        let state = &access.state;
        let (own, others, requested) = state.flights.join(access.id, wanted);
        // Another thread can have received a range after this one looked for it.
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for range in own {
            match state.cache().find(access.id, &range) {
                Some(bytes) => {
                    requested.land(&range, &bytes);
                    found.push((range, bytes));
                }
                None => missing.push(range),
            }
        }
        let fetched = self.request(access, missing)?;
        for (range, bytes) in &fetched {
            state.cache().add(access.id, range.start, bytes);
            if let Some((disk, parts)) = state.disk.as_ref().zip(self.parts.as_ref()) {
                disk.add(parts, range.start, bytes);
            }
            requested.land(range, bytes);
        }
        drop(requested);
        found.extend(fetched);
        for (range, waiting) in others {
            match waiting.wait() {
                Some(bytes) => found.push((range, bytes)),
                None => found.extend(self.request(access, vec![range])?),
            }
        }
        Ok(found)
    }

    fn request(&self, access: &Access, ranges: Vec<Range<u64>>) -> Result<Vec<(Range<u64>, Bytes)>> {
        if ranges.is_empty() {
            return Ok(Vec::new());
        }
        let size = ranges.iter().map(|range| range.end - range.start).sum();
        access.state.allow(size)?;
        let (backend, version, state) = (access.backend.clone(), self.version.clone(), access.state.clone());
        let found = runtime::wait(async move {
            if ranges.len() > 1 && ranges.len() <= MOST && size <= FEW {
                let _permit = state.permit().await;
                if let Some(found) = backend.ranges(&ranges, &version).await? {
                    return Ok(ranges.into_iter().zip(found).collect());
                }
            }
            separately(&backend, &version, &state, ranges).await
        })??;
        access.state.counters.add_bytes(size);
        Ok(found)
    }
}

/// Requests each range on its own, several at the same time.
async fn separately(
    backend: &Backend,
    version: &Version,
    state: &Arc<State>,
    ranges: Vec<Range<u64>>,
) -> Result<Vec<(Range<u64>, Bytes)>> {
    let mut tasks = JoinSet::new();
    let mut parts: Vec<Vec<Option<Bytes>>> = Vec::with_capacity(ranges.len());
    for (number, range) in ranges.iter().enumerate() {
        let split = windows::split(range, LARGEST);
        parts.push(vec![None; split.len()]);
        for (place, part) in split.into_iter().enumerate() {
            let (backend, version, state) = (backend.clone(), version.clone(), state.clone());
            tasks.spawn(async move {
                let _permit = state.permit().await;
                (number, place, backend.range(part, &version).await)
            });
        }
    }
    // The first error ends all other requests, because dropping the set aborts its tasks.
    while let Some(done) = tasks.join_next().await {
        let (number, place, bytes) =
            done.map_err(|error| Error::io("reading", std::io::Error::other(error.to_string())))?;
        if let Some(slot) = parts.get_mut(number).and_then(|parts| parts.get_mut(place)) {
            *slot = Some(bytes?);
        }
    }
    let whole = |parts: Vec<Option<Bytes>>| {
        let mut parts: Vec<Bytes> = parts.into_iter().flatten().collect();
        if parts.len() == 1 {
            return parts.pop().unwrap_or_default();
        }
        let mut whole = BytesMut::with_capacity(parts.iter().map(Bytes::len).sum());
        for part in parts {
            whole.extend_from_slice(&part);
        }
        whole.freeze()
    };
    Ok(ranges.into_iter().zip(parts.into_iter().map(whole)).collect())
}

impl Source for RemoteSource {
    fn len(&self) -> u64 {
        self.version.size
    }

    fn cost(&self) -> Cost {
        Cost::REMOTE
    }

    fn read(&self, range: Range<u64>) -> Result<Bytes> {
        let found = self.get(std::slice::from_ref(&range), true).map_err(|error| error.at_file(&self.url))?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    fn read_many(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        let mut found = Vec::with_capacity(ranges.len());
        for group in windows::groups(ranges, Cost::REMOTE.gap, TOGETHER) {
            found.extend(self.get(group, false).map_err(|error| error.at_file(&self.url))?);
        }
        Ok(found)
    }

    /// Requests as many of the ranges as the cache keeps.
    fn prefetch(&self, ranges: &[Range<u64>]) -> Result<()> {
        let Some(most) = self.access()?.state.cache().room(LARGEST) else { return Ok(()) };
        // The first group is as long as it can be.
        let Some(group) = windows::groups(ranges, Cost::REMOTE.gap, most.min(TOGETHER)).into_iter().next()
        else {
            return Ok(());
        };
        self.get(group, false).map(|_| ()).map_err(|error| error.at_file(&self.url))
    }
}
