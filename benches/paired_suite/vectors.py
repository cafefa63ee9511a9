"""numpy. The parameter is the amount of work: 1050 is 5 % more than 1000."""


class Vectors:
    params = [1000, 1050]
    param_names = ["work"]

    def setup(self, work):
        import numpy

        self.add = numpy.add
        self.rounds = work // 10
        self.left = numpy.arange(8000.0)
        self.right = self.left[::-1].copy()
        self.out = numpy.empty_like(self.left)

    def time_add(self, work):
        for _ in range(self.rounds):
            self.add(self.left, self.right, out=self.out)
