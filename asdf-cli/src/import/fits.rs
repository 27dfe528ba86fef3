//! FITS files, whole or as the values in them.

use std::collections::BTreeSet;

use asdf_core::tree::{NodeId, Tree};
use asdf_core::{Bytes, Error, Result, ToNode};
use asdf_schemas::fits::{Fits, HduData};

/// Everything, as it is stored.
pub(super) fn whole(bytes: Bytes) -> Result<Fits> {
    Fits::of_fits_bytes(bytes)
}

/// The values of the units that have any, by their names.
pub(super) fn arrays(bytes: Bytes) -> Result<Units> {
    let fits = Fits::of_fits_bytes(bytes)?;
    let mut taken = BTreeSet::new();
    let mut units = Vec::new();
    for (index, hdu) in fits.0.iter().enumerate() {
        let Some(data) = hdu.scaled().map_err(|error| error.under(index))? else { continue };
        let plain = match (hdu.name(), index) {
            (Some(name), _) if !name.is_empty() => name.to_owned(),
            (_, 0) => "PRIMARY".to_owned(),
            _ => format!("HDU{index}"),
        };
        // SCI of each detector, and so on.
        let version = hdu.value("EXTVER").and_then(|value| value.as_i64());
        let mut name = plain.clone();
        if taken.contains(&name) {
            name = format!("{plain}_{}", version.unwrap_or(1));
        }
        while !taken.insert(name.clone()) {
            name.push_str(&format!("_{index}"));
        }
        units.push((name, data));
    }
    if units.is_empty() {
        return Err(Error::mismatch("the file has headers alone, and no data"));
    }
    Ok(Units(units))
}

/// Arrays and tables by name, in the order of the file.
#[derive(Debug)]
pub(super) struct Units(Vec<(String, HduData)>);

impl ToNode for Units {
    fn to_node(&self, tree: &mut Tree) -> Result<NodeId> {
        let mapping = tree.add_mapping([]);
        for (name, data) in &self.0 {
            let value = data.to_node(tree)?;
            tree.insert(mapping, name.as_str(), value);
        }
        Ok(mapping)
    }
}
