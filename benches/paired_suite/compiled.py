"""JAX on the CPU. The parameter is the amount of work: 1050 is 5 % more than 1000."""


class Compiled:
    params = [1000, 1050]
    param_names = ["work"]

    def setup(self, work):
        import jax
        import jax.numpy as jnp

        @jax.jit
        def run(start, rounds):
            return jax.lax.fori_loop(0, rounds, lambda _, x: jnp.sin(x) + 0.5, start)

        self.run = run
        self.start = jnp.arange(256.0)
        self.rounds = jnp.int32(work // 2)
        run(self.start, self.rounds).block_until_ready()

    def time_loop(self, work):
        return self.run(self.start, self.rounds)
