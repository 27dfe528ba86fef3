//! Links in Markdown files lead to files and headings that exist, and every chapter of the book is in its contents.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

mod repository;

/// The text of a page, with the files that mdBook includes in it.
fn text(page: &Path) -> String {
    let mut text = std::fs::read_to_string(page).unwrap();
    while let Some(at) = text.find("{{#include ") {
        let end = at + text[at..].find("}}").unwrap() + 2;
        let words = &text[at + "{{#include ".len()..end - 2];
        let included = page.parent().unwrap().join(words.split(':').next().unwrap());
        let included = std::fs::read_to_string(&included)
            .unwrap_or_else(|error| panic!("{}: {}: {error}", page.display(), included.display()));
        text.replace_range(at..end, &included);
    }
    text
}

/// The places in a page that links can name.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = text(page);
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let words = heading.take().unwrap().to_lowercase();
                let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
                anchors.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            _ => {}
        }
    }
    anchors
}

/// The links of a page to other pages of the repository, and to places in itself.
fn links(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).unwrap();
    Parser::new_ext(&text, Options::ENABLE_TABLES)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.to_string())
            }
            _ => None,
        })
        .filter(|link| !link.contains(':'))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    let mut count = 0;
    for page in repository::files("md", &[]) {
        // Links of rustdoc have names of items, not files.
        let is_in_rustdoc = page.starts_with(repository::root())
            && page.components().any(|part| part.as_os_str() == "src")
            && !page.starts_with(repository::root().join("docs"));
        if is_in_rustdoc {
            continue;
        }
        for link in links(&page) {
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let to = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let is_there = to.exists()
                && (anchor.is_empty()
                    || to.extension().is_none_or(|end| end != "md")
                    || anchors(&to).contains(anchor));
            if !is_there {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(count > 50, "only {count} links were found");
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}

#[test]
fn every_chapter_is_in_the_contents_of_the_book() {
    let book = repository::root().join("docs/book/src");
    let contents = book.join("SUMMARY.md");
    let named: BTreeSet<PathBuf> = links(&contents).iter().map(|link| book.join(link)).collect();
    let chapters: BTreeSet<PathBuf> = repository::files("md", &[])
        .into_iter()
        .filter(|page| page.starts_with(&book) && *page != contents)
        .collect();
    assert_eq!(named, chapters);
}
