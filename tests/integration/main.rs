//! One integration binary: each file is a topic.
