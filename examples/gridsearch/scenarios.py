"""The ten scenarios. JAX is imported in the builders only: what a scenario needs of it is set before."""

from lcmbench.pair import Workload, scenario

STREAMS = {"reducer": "streaming", "streams": ["action_product"], "tiles": [], "streamed": True}
TILED = {"reducer": "dense", "streams": [], "tiles": ["state_cells"], "streamed": False}
TOLERANCE = {32: {"absolute": 1e-6, "ulp": 16}, 64: {"absolute": 1e-14, "ulp": 16}}


def compiled(function, *arguments):
    """A compiled function of these arguments."""
    import jax

    jitted = function if hasattr(function, "lower") else jax.jit(function)
    return jitted.lower(*arguments).compile()


@scenario("singleton-hard-max", expects={"value": STREAMS}, tolerance=TOLERANCE)
def singleton_hard_max(precision, seed):
    from gridsearch import plan, singleton

    chosen = plan.plan_hard_max()
    assets, actions = singleton.grids()
    core = compiled(lambda assets, actions: singleton.solve_hard_max(assets, actions, 4, chosen), assets, actions)
    return Workload(
        run=lambda: core(assets, actions),
        outputs=lambda: {"values": core(assets, actions)},
        cores={"value": core},
        declarations={"value": chosen.declaration()},
    )


@scenario("singleton-ev1", expects={"value": TILED}, tolerance=TOLERANCE)
def singleton_ev1(precision, seed):
    from gridsearch import plan, singleton

    chosen = plan.plan_taste_shocks()
    assets, actions = singleton.grids()
    core = compiled(lambda assets, actions: singleton.solve_taste_shocks(assets, actions, 4, 0.2, chosen), assets, actions)
    return Workload(
        run=lambda: core(assets, actions),
        outputs=lambda: {"values": core(assets, actions)},
        cores={"value": core},
        declarations={"value": chosen.declaration()},
    )


@scenario("collective-gridsearch", expects={"household": TILED}, tolerance=TOLERANCE)
def collective_gridsearch(precision, seed):
    from gridsearch import collective, plan

    chosen = plan.plan_taste_shocks()
    assets, actions = collective.grids()
    core = compiled(lambda assets, actions: collective.solve(assets, actions, 3, chosen), assets, actions)

    def outputs():
        values, weights = core(assets, actions)
        return {"values": values, "weights": weights}

    return Workload(
        run=lambda: core(assets, actions), outputs=outputs, cores={"household": core}, declarations={"household": chosen.declaration()}
    )


@scenario("distributed-co-map", backends=("cpu",), cpu_devices=4, expects={"agents": STREAMS}, tolerance=TOLERANCE, forbid_collectives=True)
def distributed_co_map(precision, seed):
    from gridsearch import comap, plan, singleton

    chosen = plan.plan_hard_max()
    where = comap.mesh(4)
    assets, actions = singleton.grids(states=32, consumption=16, hours=3)
    agents = comap.agents(16, 32, where)
    core = compiled(comap.solver(assets, actions, 2, chosen, where), agents)
    return Workload(
        run=lambda: core(agents),
        outputs=lambda: {"values": core(agents)},
        cores={"agents": core},
        declarations={"agents": chosen.declaration()},
    )


def life_cycle(assets, consumption):
    """Declares the reduced life-cycle model at one size."""

    @scenario(f"aca-a{assets}-c{consumption}", expects={"regimes": STREAMS}, tolerance=TOLERANCE)
    def build(precision, seed):
        from gridsearch import lifecycle, plan

        chosen = plan.plan_hard_max()
        core = compiled(lambda: lifecycle.solve(assets, consumption, chosen))
        return Workload(
            run=core, outputs=lambda: {"values": core()}, cores={"regimes": core}, declarations={"regimes": chosen.declaration()}
        )

    return build


for assets_points in (3, 6):
    for consumption_points in (16, 64, 256):
        life_cycle(assets_points, consumption_points)
