//! The damages of a file.

/// A damaged file.
#[derive(Debug)]
pub(crate) struct Damage {
    /// What was done, for messages.
    pub(crate) what: String,
    /// The first byte that changed.
    pub(crate) at: usize,
    /// The damaged bytes.
    pub(crate) bytes: Vec<u8>,
}

/// Returns the file cut at every length, and with every byte set to three other values.
pub(crate) fn damages(bytes: &[u8]) -> impl Iterator<Item = Damage> + '_ {
    let cuts = (0..bytes.len())
        .filter_map(|at| Some(Damage { what: format!("cut at {at}"), at, bytes: bytes.get(..at)?.to_vec() }));
    let changes = (0..bytes.len()).flat_map(|at| [0x01, 0x80, 0xff].map(|bits| (at, bits)));
    cuts.chain(changes.map(|(at, bits)| {
        let mut bytes = bytes.to_vec();
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= bits;
        }
        Damage { what: format!("byte {at} xor {bits:#04x}"), at, bytes }
    }))
}
