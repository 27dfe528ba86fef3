//! Opens whole files from memory, reads every array under small limits, and writes the files again.

use asdf_core::source::Bytes;
use asdf_core::value::FromNode;
use asdf_core::{Limits, NdArray, OpenOptions};

pub fn run(data: &[u8]) {
    let mut limits = Limits::default();
    limits.tree_size = 1 << 16;
    limits.tree_depth = 64;
    limits.decoded_size = 1 << 20;
    limits.decoded_total = Some(8 << 20);
    let options = OpenOptions::new().limits(limits).verify_checksums(true);
    let file = match options.open_bytes(Bytes::copy_from_slice(data)) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.to_string().len() < 4000);
            return;
        }
    };
    let _ = (file.blocks().map(|blocks| blocks.len()), file.index(), file.warnings());
    if let Some(root) = file.tree().root() {
        let arrays = root.walk().filter(|node| node.tag().is_some_and(NdArray::accepts_tag));
        for node in arrays.take(20) {
            let Ok(array) = NdArray::from_node(node) else { continue };
            let _ = (array.shape(), array.datatype());
            if let Ok(elements) = array.elements() {
                let _ = elements.take(100_000).count();
            }
        }
    }
    if let Ok(bytes) = file.to_bytes() {
        let again = OpenOptions::new().open_bytes(bytes);
        assert!(again.is_ok(), "cannot open the written file: {:?}", again.err());
    }
}
