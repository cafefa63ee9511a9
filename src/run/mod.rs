//! The schedule: plan, rounds, journal and save. Emits events that reporters consume.
