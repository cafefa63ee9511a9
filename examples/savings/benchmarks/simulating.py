"""How long a simulation takes; the model is solved once for all of them."""

from savings import household, simulate, solve


class Simulate:
    timeout = 30.0

    def setup_cache(self):
        return solve(household("patient", 60), tolerance=1e-2)

    def time_simulate(self, solution):
        simulate(solution, n_households=40, n_periods=40)

    def track_mean_wealth(self, solution):
        wealth = simulate(solution, n_households=100, n_periods=100)
        return sum(wealth) / len(wealth)

    track_mean_wealth.unit = "yearly incomes"

    def track_occupied_points(self, solution):
        """Return how many points of the grid are chosen by somebody: more is finer."""
        return len({position for row in solution.policy for position in row})

    track_occupied_points.unit = "points"
