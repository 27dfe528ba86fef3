//! The region that the metadata of an image state.

use asdf_core::tree::NodeRef;
use asdf_core::{File, Result};

use super::Wcs;
use crate::outline::Outline;

impl Wcs {
    /// Returns the `s_region` in the metadata of the image: the one beside the wcs, or the only one of the file.
    #[must_use]
    pub fn s_region(&self, file: &File) -> Option<String> {
        let tree = file.tree();
        let parent = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        let text = |node: NodeRef<'_>| node.as_str().map(str::to_owned);
        let beside = ["/wcsinfo/s_region", "/s_region"]
            .iter()
            .find_map(|place| tree.find(&format!("{parent}{place}")));
        if let Some(found) = beside.and_then(text) {
            return Some(found);
        }
        let mut found = tree.search().key("s_region").filter_map(|found| text(found.node));
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }

    /// Returns how far the corners of an image are from those of a region in STC-S, in pixels.
    ///
    /// Returns `None` if the region cannot be parsed.
    ///
    /// # Errors
    /// Like [`footprint_outline`](Self::footprint_outline).
    pub fn distance_from(&self, region: &str) -> Result<Option<f64>> {
        let Ok(region) = Outline::from_stcs(region) else { return Ok(None) };
        Ok(Some(3600.0 * self.footprint_outline()?.distance(&region) / self.mean_pixel_scale()?))
    }

    /// Returns the size of a pixel on the sky in arcseconds: the square root of its area at the middle of the image.
    ///
    /// # Errors
    /// Like [`pixel_scale`](Self::pixel_scale).
    pub fn mean_pixel_scale(&self) -> Result<f64> {
        // The two axes of the image; that of a spectrum has the size 0.
        let sizes: Vec<f64> = self.pixel_scale()?.into_iter().filter(|size| *size > 0.0).collect();
        #[expect(clippy::cast_precision_loss, reason = "the number of axes")]
        let count = sizes.len().max(1) as f64;
        Ok(sizes.iter().product::<f64>().powf(1.0 / count))
    }
}
