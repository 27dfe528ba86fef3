//! Tests that take minutes and seldom fail: damage of every byte, kills at every moment, every type of the standard.

mod agreement;
mod concurrency;
mod converting;
mod damage;
mod deep;
mod examples;
mod killing;
mod packages;
mod repairing;
mod round_trip;
mod samples;
mod spoilt_schemas;
