"""Dynamic programming by grid search."""
