"""One cache for the whole module."""


def setup_cache():
    return {"answer": 42}


def track_answer(cache):
    return cache["answer"]


class InClass:
    def setup(self, cache):
        self.answer = cache["answer"]

    def track_answer(self, cache):
        return self.answer + cache["answer"]

    def teardown(self, cache):
        assert cache["answer"] == 42
