//! The name that a person may have meant.

/// The similarity from which a name is suggested, between 0 and 1.
const SIMILAR: f64 = 0.75;

/// Returns the end of one of the names that is most similar to a text.
pub(crate) fn closest(text: &str, names: impl IntoIterator<Item = String>) -> Option<String> {
    let steps = text.split('.').count();
    let mut best: Option<(f64, String)> = None;
    for name in names {
        let parts: Vec<&str> = name.split('.').collect();
        let end = parts.get(parts.len().saturating_sub(steps)..).unwrap_or_default().join(".");
        let similar = strsim::jaro_winkler(&end.to_lowercase(), &text.to_lowercase());
        if similar >= SIMILAR && best.as_ref().is_none_or(|(most, _)| similar > *most) {
            best = Some((similar, end));
        }
    }
    best.map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_name_is_suggested() {
        let names =
            || ["roman.meta.instrument.detector", "roman.meta.exposure.exposure_time"].map(str::to_owned);
        assert_eq!(closest("detectors", names()).as_deref(), Some("detector"));
        assert_eq!(closest("exposure.exposuretime", names()).as_deref(), Some("exposure.exposure_time"));
        assert_eq!(closest("zzz", names()), None);
    }
}
