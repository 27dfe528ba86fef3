//! Options for comparing trees.

/// The distance up to which two numbers count as equal.
///
/// They do if the distance is at most `absolute`, or at most `relative` times the larger of the two
/// magnitudes. The default is exact.
///
/// # Examples
/// ```
/// use asdf_core::tree::Tolerance;
///
/// let tolerance = Tolerance { relative: 1e-3, absolute: 0.0 };
/// assert!(tolerance.accepts(1000.0, 1000.5));
/// assert!(!tolerance.accepts(1.0, 1.5));
/// ```
#[doc(alias = "rtol")]
#[doc(alias = "atol")]
#[doc(alias = "allclose")]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// The relative tolerance, as a fraction of the larger magnitude.
    pub relative: f64,
    /// The absolute tolerance, in the unit of the numbers.
    pub absolute: f64,
}

impl Tolerance {
    /// Numbers must be exactly equal.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// Returns whether two numbers count as equal. NaN equals NaN, and an infinity only itself.
    #[must_use]
    pub fn accepts(self, a: f64, b: f64) -> bool {
        let close = || {
            let far = self.absolute.max(self.relative * a.abs().max(b.abs()));
            a.is_finite() && b.is_finite() && (a - b).abs() <= far
        };
        a == b || (a.is_nan() && b.is_nan()) || close()
    }

    pub(crate) fn is_exact(self) -> bool {
        self == Self::EXACT
    }
}

/// Options for a comparison: what counts as a difference, and how much to compare.
///
/// # Examples
/// ```
/// use asdf_core::tree::{DifferenceOptions, Tolerance};
/// use asdf_core::yaml::parse;
///
/// let before = parse("{time: 1.0, list: [1, 2], made: 2025}\n")?;
/// let after = parse("{made: 2026, list: [1, 2, 3], time: 1.0001}\n")?;
/// let options = DifferenceOptions::new()
///     .tolerance(Tolerance { relative: 1e-3, absolute: 0.0 })
///     .ignore("/made");
/// let differences = before.at("")?.differences(after.at("")?, &options);
/// assert_eq!(differences.to_string(), "/list/2: added: the integer 3\n");
/// # Ok::<(), asdf_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct DifferenceOptions {
    pub(crate) tolerance: Tolerance,
    pub(super) ignored: Vec<String>,
    pub(super) key_order: bool,
    pub(super) tags: bool,
    pub(super) writer: bool,
    pub(super) datatypes: bool,
    pub(super) versions: bool,
    pub(super) differences: usize,
    pub(super) pairs: usize,
}

impl Default for DifferenceOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::EXACT,
            ignored: Vec::new(),
            key_order: false,
            tags: true,
            writer: true,
            datatypes: true,
            versions: true,
            differences: 10_000,
            pairs: 1 << 24,
        }
    }
}

impl DifferenceOptions {
    /// Creates the default options.
    ///
    /// Numbers are compared exactly, tags count, and the order of keys does not. At most 10,000 differences
    /// are reported, and at most 16,777,216 pairs of nodes are compared.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the tolerance for numbers.
    ///
    /// With a tolerance, the types of numbers do not count: `1` and `1.0` are equal, and so are arrays of
    /// `float32` and `float64`.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Ignores everything at or below the paths that match a pattern.
    ///
    /// `*` matches any characters but `/`, and `**` matches any characters: `/history`, `/roman/meta/*/date`,
    /// `**/checksum`. A shared node is compared on its first path only.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.ignored.push(pattern.into());
        self
    }

    /// Sets whether the order of a mapping's keys counts.
    #[must_use]
    pub fn key_order(mut self, counts: bool) -> Self {
        self.key_order = counts;
        self
    }

    /// Sets whether tags count. YAML's own tags that only repeat the kind of a node (`!!str`) never do.
    #[must_use]
    pub fn tags(mut self, count: bool) -> Self {
        self.tags = count;
        self
    }

    /// Sets whether the software that wrote the file counts.
    ///
    /// That is `asdf_library`, and `extensions` in `history`, at the nodes at which the comparison begins.
    /// The entries of the history always count. [`Differences::ignored`](super::Differences::ignored) lists
    /// what was ignored.
    #[must_use]
    pub fn writer(mut self, counts: bool) -> Self {
        self.writer = counts;
        self
    }

    /// Sets whether the datatypes of arrays count, and whether a number is an integer or a float.
    ///
    /// If not, only values are compared.
    #[must_use]
    pub fn datatypes(mut self, count: bool) -> Self {
        self.datatypes = count;
        self
    }

    pub(crate) fn counts_datatypes(&self) -> bool {
        self.datatypes
    }

    /// Sets whether the versions of tags count, such as `core/ndarray-1.0.0` and `core/ndarray-1.1.0`.
    #[must_use]
    pub fn versions(mut self, count: bool) -> Self {
        self.versions = count;
        self
    }

    /// Sets the maximum number of differences to report. The comparison stops there.
    #[must_use]
    pub fn max_differences(mut self, differences: usize) -> Self {
        self.differences = differences;
        self
    }

    /// Sets the maximum number of pairs of nodes to compare.
    ///
    /// Each pair is compared once, on its first path, so aliases cost nothing. Two hostile trees of n nodes,
    /// however, can have n² pairs.
    #[must_use]
    pub fn max_pairs(mut self, pairs: usize) -> Self {
        self.pairs = pairs;
        self
    }
}
