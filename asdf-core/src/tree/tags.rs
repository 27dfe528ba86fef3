//! The tags of a tree.

use super::index::Index;

/// Tags as full URIs, interned in one buffer and numbered from 0.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tags {
    text: String,
    /// The end of each tag in the text.
    ends: Vec<u32>,
    index: Index,
}

impl Tags {
    /// Returns a tag by its number.
    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        slice(&self.text, &self.ends, number)
    }

    /// Returns the number of tags.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Iterates over all tags, ordered by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).filter_map(|number| self.get(number))
    }

    /// Interns a tag and returns its number; `None` if there are more than `most` tags or their text exceeds
    /// 4 GiB.
    pub(super) fn number(&mut self, tag: &str, most: u32) -> Option<u32> {
        let new = u32::try_from(self.ends.len()).ok()?;
        let end = u32::try_from(self.text.len() + tag.len()).ok();
        let (text, ends) = (&self.text, &self.ends);
        let same = |number: u32| slice(text, ends, number as usize) == Some(tag);
        let Some(end) = end.filter(|_| new < most) else { return self.index.get(tag, same) };
        let number = self.index.number(tag, new, same);
        if number == new {
            self.text.push_str(tag);
            self.ends.push(end);
        }
        Some(number)
    }
}

fn slice<'t>(text: &'t str, ends: &[u32], number: usize) -> Option<&'t str> {
    let start = match number.checked_sub(1) {
        Some(before) => *ends.get(before)?,
        None => 0,
    };
    text.get(start as usize..*ends.get(number)? as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tag_is_kept_once_and_the_last_number_is_kept_to() {
        let mut tags = Tags::default();
        let mut number = |tag: &str| tags.number(tag, 3);
        assert_eq!(
            [number("a"), number(""), number("b:c"), number("")],
            [Some(0), Some(1), Some(2), Some(1)]
        );
        assert_eq!([number("d"), number("a"), number("b:c")], [None, Some(0), Some(2)]);
        assert_eq!(tags.iter().collect::<Vec<_>>(), ["a", "", "b:c"]);
        assert_eq!((tags.get(2), tags.get(3), tags.len()), (Some("b:c"), None, 3));
    }
}
