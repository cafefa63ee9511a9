"""How a target is executed."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Streamed, the product of all actions goes by block after block and only the best so far is kept; dense, all of it is there at once.
    With `tile` the cells of the state are worked off in tiles of that many."""

    streamed: bool
    block: int = 16
    tile: int | None = None

    def declaration(self):
        """What `lcmbench pair` compares with what a scenario expects."""
        return {
            "reducer": "streaming" if self.streamed else "dense",
            "streams": ["action_product"] if self.streamed else [],
            "tiles": [] if self.tile is None else ["state_cells"],
            "streamed": self.streamed,
        }


def plan_hard_max():
    """A maximum can be kept while actions go by."""
    return Plan(streamed=True)


def plan_taste_shocks():
    """The sum of exponentials needs all actions of a cell; what is large is cut along the state."""
    return Plan(streamed=False, tile=32)
