//! What counts as a difference.

/// How far apart two numbers may be and still count as equal: at most `absolute`, or at most
/// `relative` times the larger of the two magnitudes. The default is exact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// Against the larger magnitude of the two.
    pub relative: f64,
    /// In the unit of the numbers.
    pub absolute: f64,
}

impl Tolerance {
    /// No distance at all.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// Whether two numbers count as equal. NaN is equal to NaN, an infinity only to itself.
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

/// What counts as a difference, and how much is compared at most.
///
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
    /// Exact numbers, tags count, the order of keys does not; at most 10,000 differences are told,
    /// and 16,777,216 pairs of nodes compared.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How far apart numbers may be. Other than exact, the types of numbers do not count: `1` and `1.0`
    /// are equal, and so are arrays of `float32` and `float64`.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Leaves out what is at or below the paths that fit a pattern: `*` stands for any characters
    /// but `/`, `**` for any at all. What is shared is compared on its first path alone. `/history`, `/roman/meta/*/date`, `**/checksum`.
    #[must_use]
    pub fn ignore(mut self, pattern: impl Into<String>) -> Self {
        self.ignored.push(pattern.into());
        self
    }

    /// Whether the order of a mapping's keys counts.
    #[must_use]
    pub fn key_order(mut self, counts: bool) -> Self {
        self.key_order = counts;
        self
    }

    /// Whether tags count. Those of YAML that only repeat what a node is (`!!str`) never do.
    #[must_use]
    pub fn tags(mut self, count: bool) -> Self {
        self.tags = count;
        self
    }

    /// Whether it counts which software wrote the file: `asdf_library`, and the `extensions` in `history`, of the
    /// nodes that the comparison begins at. The entries of the history always count. What was ignored:
    /// [`Differences::ignored`](super::Differences::ignored).
    #[must_use]
    pub fn writer(mut self, counts: bool) -> Self {
        self.writer = counts;
        self
    }

    /// Whether the datatypes of arrays count, and whether a number is an integer or a float. If not, only
    /// values are compared.
    #[must_use]
    pub fn datatypes(mut self, count: bool) -> Self {
        self.datatypes = count;
        self
    }

    pub(crate) fn counts_datatypes(&self) -> bool {
        self.datatypes
    }

    /// Whether the versions of tags count: `core/ndarray-1.0.0` and `core/ndarray-1.1.0`.
    #[must_use]
    pub fn versions(mut self, count: bool) -> Self {
        self.versions = count;
        self
    }

    /// Sets the largest number of differences that are reported; the comparison ends there.
    #[must_use]
    pub fn max_differences(mut self, differences: usize) -> Self {
        self.differences = differences;
        self
    }

    /// Sets the largest number of pairs of nodes that are compared. Each pair is compared once, on its first path,
    /// so that aliases cost nothing; but two hostile trees of n nodes can have n² pairs.
    #[must_use]
    pub fn max_pairs(mut self, pairs: usize) -> Self {
        self.pairs = pairs;
        self
    }
}
