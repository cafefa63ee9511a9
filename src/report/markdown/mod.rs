//! The report as Markdown: the comment on a pull request, and the same text for the terminal.

mod acceptances;
mod comment;
mod folds;
mod table;

pub use comment::{Excerpt, MARKER, comment, comment_of};
