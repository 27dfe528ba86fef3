//! Types that programs share between threads are `Send` and `Sync`.

use asdf_core::array::{Array, Elements, View};
use asdf_core::source::{FileSource, MemorySource, Source};
use asdf_core::{
    Compression, Datatype, Error, File, Limits, NdArray, Node, NodeRef, OpenOptions, Threads, Tree,
    WriteOptions,
};

const fn is_shared<T: Send + Sync + ?Sized>() {}

const fn is_owned<T: Send + Sync + Unpin + 'static>() {}

#[test]
fn types_can_be_sent_to_threads_and_shared() {
    is_owned::<File>();
    is_owned::<OpenOptions>();
    is_owned::<WriteOptions>();
    is_owned::<Limits>();
    is_owned::<Threads>();
    is_owned::<Tree>();
    is_owned::<Node>();
    is_owned::<NdArray>();
    is_owned::<Array<f32, 2>>();
    is_owned::<View<f32>>();
    is_owned::<Datatype>();
    is_owned::<Compression>();
    is_owned::<Error>();
    is_owned::<FileSource>();
    is_owned::<MemorySource>();
    is_shared::<NodeRef<'_>>();
    is_shared::<Elements>();
    is_shared::<dyn Source>();
}
