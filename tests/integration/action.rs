//! The Action: its script alone, and with the example workflows in `act`.

mod act;
mod examples;
mod script;
mod stopped;
