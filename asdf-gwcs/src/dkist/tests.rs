use crate::cases::check;

#[test]
fn pointings_are_those_of_dkist() {
    check("dkist/pointings.asdf", 1e-12);
}
