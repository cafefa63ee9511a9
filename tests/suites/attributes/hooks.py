"""Set-up and tear-down from every source, under every spelling; the order is what is tracked."""

events = []


def setup():
    events.append("module")


def teardown():
    events.append("module is torn down")


class Spelled:
    def setUp(self):
        events.append("class")

    def tearDown(self):
        events.append("class is torn down")

    def track_order(self):
        return len(events)

    def track_which(self):
        return "-".join(events)


def own_setup():
    events.append("function")


def track_function():
    return "-".join(events)


track_function.setup = own_setup
