"""What a harness imports to declare scenarios: `from lcmbench.pair import scenario, Workload`."""

from lcmbench.pair.scenarios import Scenario, ScenarioError, Workload, scenario

__all__ = ["Scenario", "ScenarioError", "Workload", "scenario"]
