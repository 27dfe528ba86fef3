//! Three levels of round trip, and edits: of generated texts, and of every file that is checked in.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on has failed")]

use asdf_tests::round_trip::{Choices, Written, edit_text, generate, tags, unedited, values};

fn check(text: &str) -> Result<(), String> {
    values(text)?;
    tags(text)?;
    unedited(text)
}

#[test]
fn generated_texts_keep_values_tags_and_bytes() {
    let mut read = 0;
    let rounds = 3000;
    for seed in 0..rounds {
        let bytes = Choices::bytes_of(seed, 300);
        let text = generate(&mut Choices::new(&bytes));
        check(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        read += u64::from(asdf_core::yaml::parse(&text).is_ok());
    }
    assert!(read * 10 >= rounds * 8, "only {read} of {rounds} generated texts are YAML");
}

#[test]
fn edits_change_only_their_bytes() {
    let (mut exact, mut all, mut wrong) = (0, 0, Vec::new());
    let mut anew = Vec::new();
    for seed in 0..6000 {
        let bytes = Choices::bytes_of(seed, 400);
        let mut choices = Choices::new(&bytes);
        let text = generate(&mut choices);
        match edit_text(&text, &mut choices) {
            Ok(None) => {}
            Ok(Some((_, how, edit))) => {
                all += 1;
                exact += u32::from(how == Written::Exactly);
                if how == Written::Anew {
                    anew.push(format!("{} {}\n{}\n=====", edit.range.is_some(), edit.done, text.split_once("---").unwrap().1));
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    println!("{}", anew.join("\n"));
    println!("{exact} of {all}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.iter().take(12).map(String::as_str).collect::<Vec<_>>().join("\n\n").replace("%YAML 1.1\\n%TAG ! tag:stsci.edu:asdf/\\n%TAG !e! asdf://example.org/tags/\\n%TAG !f! asdf://example.org/\\n", ""));
}
