class Deepest:
    def track_deepest(self):
        return 1
