"""Pure Python. The parameter is the amount of work: 1050 is 5 % more than 1000."""


class Loop:
    params = [1000, 1050]
    param_names = ["work"]

    def time_loop(self, work):
        total = 0
        for number in range(8 * work):
            total += number * number % 7
        return total
