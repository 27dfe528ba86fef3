//! One request for all threads that need the same bytes at the same time.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use bytes::Bytes;

use crate::cache::FileId;

type Key = (FileId, u64, u64);

/// The ranges that are requested now.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<HashMap<Key, Arc<Flight>>>);

/// A range that is requested now, and its bytes when they have arrived.
#[derive(Debug, Default)]
struct Flight {
    landed: Mutex<Option<Option<Bytes>>>,
    changed: Condvar,
}

/// A range that another thread requests.
#[derive(Debug)]
pub(crate) struct Waiting(Arc<Flight>);

impl Waiting {
    /// Waits for the bytes. `None` if the request failed.
    pub(crate) fn wait(self) -> Option<Bytes> {
        let mut landed = self.0.landed.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(bytes) = landed.as_ref() {
                return bytes.clone();
            }
            landed = self.0.changed.wait(landed).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A range that another thread requests, and the way to wait for it.
pub(crate) type Other = (Range<u64>, Waiting);

/// Ranges that this thread requests. Other threads wait for them until this is dropped.
#[derive(Debug)]
pub(crate) struct Requested<'f> {
    flights: &'f Flights,
    keys: Vec<Key>,
}

impl Flights {
    /// Splits ranges into those that this thread has to request, and those that another thread already requests.
    pub(crate) fn join(
        &self,
        file: FileId,
        ranges: &[Range<u64>],
    ) -> (Vec<Range<u64>>, Vec<Other>, Requested<'_>) {
        let mut flights = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut own, mut others, mut keys) = (Vec::new(), Vec::new(), Vec::new());
        for range in ranges {
            let key = (file, range.start, range.end);
            match flights.get(&key) {
                Some(flight) => others.push((range.clone(), Waiting(flight.clone()))),
                None => {
                    flights.insert(key, Arc::default());
                    keys.push(key);
                    own.push(range.clone());
                }
            }
        }
        (own, others, Requested { flights: self, keys })
    }
}

impl Requested<'_> {
    /// Passes the bytes of a range on to the threads that wait for it.
    pub(crate) fn land(&self, range: &Range<u64>, bytes: &Bytes) {
        if let Some(key) = self.keys.iter().find(|key| (key.1, key.2) == (range.start, range.end)) {
            self.flights.end(key, Some(bytes.clone()));
        }
    }
}

impl Flights {
    fn end(&self, key: &Key, bytes: Option<Bytes>) {
        let flight = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        if let Some(flight) = flight {
            *flight.landed.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes);
            flight.changed.notify_all();
        }
    }
}

impl Drop for Requested<'_> {
    fn drop(&mut self) {
        for key in &self.keys {
            self.flights.end(key, None);
        }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_requested_once() {
        let flights = Flights::default();
        let (own, others, requested) = flights.join(1, &[0..10, 20..30]);
        assert_eq!((own.len(), others.len()), (2, 0));
        let (own, mut others, second) = flights.join(1, &[20..30, 40..50]);
        assert_eq!((own, others.len()), (vec![40..50], 1));
        assert_eq!(flights.join(2, &[0..10]).0, [0..10], "another file");
        let (_, waiting) = others.pop().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || waiting.wait());
            requested.land(&(20..30), &Bytes::from("ten"));
            assert_eq!(waiting.join().unwrap().unwrap(), "ten");
        });
        let (_, mut others, third) = flights.join(1, &[0..10]);
        drop(requested);
        assert_eq!(others.pop().unwrap().1.wait(), None, "the request failed");
        drop((second, third));
        assert!(flights.0.lock().unwrap().is_empty());
    }
}
