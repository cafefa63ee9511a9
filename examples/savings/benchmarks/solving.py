"""How long the solver takes, how much memory it needs, how many iterations."""

from savings import household, solve


class Solve:
    """Two sizes of grid, two households."""

    params = [[15, 30], ["impatient", "patient"]]
    param_names = ["points", "household"]

    def setup(self, points, kind):
        self.model = household(kind, points)

    def time_solve(self, points, kind):
        solve(self.model)

    def peakmem_solve(self, points, kind):
        solve(self.model)

    def track_iterations(self, points, kind):
        return solve(self.model).n_iterations

    track_iterations.unit = "iterations"


class Precision:
    """A tighter tolerance costs iterations."""

    params = [1e-2, 1e-4, 1e-6]
    param_names = ["tolerance"]

    def setup(self, tolerance):
        if tolerance < 1e-5:
            raise NotImplementedError("takes too long in pure Python")
        self.model = household("impatient", 15)

    def time_solve(self, tolerance):
        solve(self.model, tolerance)


def time_risk_neutral():
    """Fails on purpose: the model refuses a household that is not averse to risk."""
    solve(household("patient", 15, risk_aversion=0.0))
