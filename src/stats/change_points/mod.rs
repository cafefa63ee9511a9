//! Change points of a noisy series: where its level jumped for good.

mod clip;
mod discoveries;
mod evidence;
mod model;
mod search;
mod segmentation;
#[cfg(test)]
mod tests;

pub use discoveries::discoveries;
pub use model::{ChangePoint, FEWEST_POINTS, SHORTEST_SEGMENT, levels};
pub use search::change_points;
