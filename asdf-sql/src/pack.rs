//! Files of a listing in little memory.

use chrono::{DateTime, TimeDelta, Utc};
use object_store::ObjectMeta;
use object_store::path::Path;
use prost::Message;

/// The most files that are read together.
pub(crate) const PACK: usize = 256;

/// Up to [`PACK`] files that are read together. It takes about 40 bytes for each file, so listings of millions fit in
/// memory and in messages.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Pack {
    /// The text with which all keys begin.
    #[prost(string, tag = "1")]
    prefix: String,
    /// The rest of each key, one after another.
    #[prost(string, tag = "2")]
    rest: String,
    /// Where the rest of each key ends.
    #[prost(uint32, repeated, tag = "3")]
    ends: Vec<u32>,
    #[prost(uint64, repeated, tag = "4")]
    sizes: Vec<u64>,
    /// The times of the last changes, in microseconds.
    #[prost(int64, repeated, tag = "5")]
    modified: Vec<i64>,
}

impl Pack {
    /// Makes a pack of some files.
    pub(crate) fn new(files: &[ObjectMeta]) -> Self {
        let key = |meta: &ObjectMeta| meta.location.as_ref().to_owned();
        let first = files.first().map(key).unwrap_or_default();
        let mut common = first.len();
        for file in files {
            let same = first.bytes().zip(file.location.as_ref().bytes()).take_while(|(a, b)| a == b).count();
            common = common.min(same);
        }
        while !first.is_char_boundary(common) {
            common -= 1;
        }
        let prefix = first.get(..common).unwrap_or_default().to_owned();
        let mut pack = Self { prefix, ..Self::default() };
        for file in files {
            pack.rest.push_str(file.location.as_ref().get(common..).unwrap_or_default());
            pack.ends.push(u32::try_from(pack.rest.len()).unwrap_or(u32::MAX));
            pack.sizes.push(file.size);
            pack.modified.push(microseconds(file.last_modified));
        }
        pack
    }

    /// The files in their order.
    pub(crate) fn files(&self) -> impl Iterator<Item = ObjectMeta> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let parts = starts.zip(&self.ends).zip(self.sizes.iter().zip(&self.modified));
        parts.filter_map(|((start, end), (size, modified))| {
            let (start, end) = (usize::try_from(start).ok()?, usize::try_from(*end).ok()?);
            let key = format!("{}{}", self.prefix, self.rest.get(start..end)?);
            let last_modified = DateTime::<Utc>::from_timestamp_micros(*modified).unwrap_or_default();
            let location = Path::parse(key).ok()?;
            Some(ObjectMeta { location, last_modified, size: *size, e_tag: None, version: None })
        })
    }

    /// The bytes of all files.
    pub(crate) fn size(&self) -> u64 {
        self.sizes.iter().fold(0, |sum, size| sum.saturating_add(*size))
    }
}

/// A time in microseconds since 1970, rounded as in catalogues.
fn microseconds(time: DateTime<Utc>) -> i64 {
    time.checked_add_signed(TimeDelta::nanoseconds(500)).unwrap_or(time).timestamp_micros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded() {
        let rounded = |nanoseconds: i64| microseconds(DateTime::from_timestamp_nanos(nanoseconds));
        assert_eq!([1499, 1500, 2499, -1499].map(rounded), [1, 2, 2, -1]);
    }

    #[test]
    fn files_are_those_that_were_packed() {
        let file = |(number, key): (i64, &str)| ObjectMeta {
            location: Path::parse(key).unwrap(),
            last_modified: DateTime::from_timestamp_micros(number).unwrap(),
            size: key.len() as u64,
            e_tag: None,
            version: None,
        };
        for keys in [&["a/é1.asdf", "a/è2.asdf", "a/é"][..], &["x"], &[], &["abc", "b"], &["a", "ab", "abc"]]
        {
            let files: Vec<ObjectMeta> = (0..).zip(keys.iter().copied()).map(file).collect();
            let pack = Pack::new(&files);
            let decoded = Pack::decode(pack.encode_to_vec().as_slice()).unwrap();
            assert_eq!(decoded.files().collect::<Vec<_>>(), files);
        }
    }
}
