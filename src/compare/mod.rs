//! Two sets of results to rows with verdicts.
