"""Which example workflows there are and what each exercises; nothing of trspecfit is imported."""

import json
import os
import tempfile
import unittest

import package  # noqa: F401
from lcmbench.paths.fixtures import FixtureError, entry_of, find_fixtures
from lcmbench.paths.workflows import components_of, workflows_in

MODELS = """\
# Comment: with a colon
Plain:
    sinFun:
        A: [1, True]
"Slow one":   # quoted
    gaussCONV:
        SD: [5, True]
    expFun_01:
        A: [5, True]
    expFun_02: {A: [5, True]}
"""


class Folders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def workflow(self, name, calls=(), profiles=(), files=("energy", "time", "data")):
        folder = os.path.join(self.folder, name)
        os.makedirs(os.path.join(folder, "data"))
        for file in files:
            open(os.path.join(folder, "data", file + ".csv"), "w").close()
        open(os.path.join(folder, "models_energy.yaml"), "w").close()
        with open(os.path.join(folder, "models_time.yaml"), "w") as file:
            file.write(MODELS)
        lines = [f"file.add_par_profile('2D', 'A', 'p.yaml', {model!r})\n" for model in profiles]
        lines += [f"file.add_time_dependence('2D', 'A', 'models_time.yaml', {model!r})\n" for model in calls]
        cells = [{"cell_type": "code", "source": lines}]
        with open(os.path.join(folder, "example.ipynb"), "w") as file:
            json.dump({"nbformat": 4, "cells": cells}, file)

    def entries(self):
        return {entry["name"]: entry for entry in map(entry_of, find_fixtures(self.folder, None, self.folder))}

    def test_what_is_exercised_follows_from_the_calls_and_the_models(self):
        self.workflow("01_a", ["Slow one"])
        self.workflow("02_b", ["Plain"])
        self.workflow("03_c", [["Slow one", "Plain", "Plain"]])
        self.workflow("04_d", ["Plain"], ["M"])
        words = {name: entry["exercises"] for name, entry in self.entries().items()}
        self.assertEqual(
            words, {"01_a": ["convolution"], "02_b": ["plain"], "03_c": ["subcycle", "convolution"], "04_d": ["profile"]}
        )

    def test_what_is_no_fixture_has_a_reason(self):
        self.workflow("02_b", ["Plain"])
        self.workflow("05_saved_fits")
        self.workflow("10_model_comparison")
        self.workflow("11_save_load_export", files=())
        self.workflow("20_multi_file_independent_fit")
        self.workflow("21_multi_file_shared_fit")
        self.workflow("12_uncertainty", files=("energy",))
        self.workflow("notes")
        reasons = {name: entry["reason"] for name, entry in self.entries().items()}
        self.assertIsNone(reasons.pop("02_b"))
        self.assertEqual(
            reasons,
            {
                "10_model_comparison": "compares models with each other; no fixture",
                "11_save_load_export": "shows saving, loading and exporting; no fixture",
                "12_uncertainty": "has no data/time.csv, data/data.csv; no fixture",
                "20_multi_file_independent_fit": "fits several files one by one, which is not supported",
                "21_multi_file_shared_fit": "fits several files with shared parameters, which is not supported",
            },
        )

    def test_a_notebook_that_cannot_be_read_is_the_error_of_its_example(self):
        self.workflow("02_b", ["Plain"])
        self.workflow("03_c")
        with open(os.path.join(self.folder, "03_c", "example.ipynb"), "w") as file:
            file.write("no notebook")
        workflows = {workflow.name: workflow.error for workflow in workflows_in(self.folder)}
        self.assertIsNone(workflows["02_b"])
        self.assertIn("is not JSON", workflows["03_c"])
        self.assertIn("is not JSON", self.entries()["03_c"]["error"])

    def test_a_folder_without_workflows_is_said(self):
        with self.assertRaises(FixtureError) as caught:
            find_fixtures(self.folder, None, None)
        self.assertIn("has no folder examples/fitting_workflows", str(caught.exception))
        with self.assertRaises(FixtureError) as caught:
            find_fixtures(self.folder, None, os.path.join(self.folder, "no"))
        self.assertIn("there is no folder", str(caught.exception))
        with self.assertRaises(FixtureError) as caught:
            find_fixtures(self.folder, None, self.folder)
        self.assertIn("holds no workflow", str(caught.exception))

    def test_components_are_read_by_indentation(self):
        self.workflow("02_b")
        path = os.path.join(self.folder, "02_b", "models_time.yaml")
        self.assertEqual(components_of(path), {"Plain": ["sinFun"], "Slow one": ["gaussCONV", "expFun", "expFun"]})
        self.assertEqual(components_of(path + ".no"), {})


if __name__ == "__main__":
    unittest.main()
