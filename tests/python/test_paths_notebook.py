"""Reading calls out of notebooks and lists of calls."""

import json
import os
import tempfile
import unittest

import package  # noqa: F401
from lcmbench.paths.calls import DYNAMICS, PROFILE, CallsError, calls_of_workflow
from lcmbench.paths.notebook import NotebookError, calls_in, code_cells

CALL = """\
# Attach the dynamics
file.add_time_dependence(
    target_model='2D',  # the fitted model
    target_parameter="GLP_01_x0",
    dynamics_yaml='models_time.yaml',

    dynamics_model=[
        'IRF',  # a comment (with a bracket
        "Mono" "ExpNeg",
    ],
    frequency=0.25,
)
"""


def code(source):
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def markdown(source):
    return {"cell_type": "markdown", "metadata": {}, "source": source}


class Workflows(unittest.TestCase):
    """Each test has a folder of workflows with one of them in it."""

    def setUp(self):
        parent = tempfile.TemporaryDirectory()
        self.addCleanup(parent.cleanup)
        self.parent = parent.name
        self.folder = os.path.join(self.parent, "03_multi")
        os.mkdir(self.folder)

    def write(self, *cells, nbformat=4):
        notebook = {"nbformat": nbformat, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}
        self.write_text(json.dumps(notebook))

    def write_text(self, text):
        with open(os.path.join(self.folder, "example.ipynb"), "w", encoding="utf-8") as file:
            file.write(text)

    def list_calls(self, content):
        with open(os.path.join(self.parent, "calls.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)

    def calls(self):
        return calls_of_workflow(self.folder)

    def assert_refused(self, *parts):
        with self.assertRaises(CallsError) as caught:
            self.calls()
        for part in parts:
            self.assertIn(part, str(caught.exception))


class Notebooks(Workflows):
    def test_arguments_are_read_whatever_stands_between_them(self):
        self.write(markdown("# Title"), code(CALL))
        self.assertEqual(
            self.calls()[DYNAMICS],
            [
                {
                    "target_model": "2D",
                    "target_parameter": "GLP_01_x0",
                    "dynamics_yaml": "models_time.yaml",
                    "dynamics_model": ["IRF", "MonoExpNeg"],
                    "frequency": 0.25,
                }
            ],
        )

    def test_several_calls_of_a_cell_keep_their_order(self):
        self.write(
            code(
                [
                    "file.add_par_profile('2D', 'A', 'p.yaml', 'One'); file.add_par_profile('2D', 'B', 'p.yaml', 'Two')\n",
                    "file.add_time_dependence('2D', 'C', 't.yaml', 'Three', frequency=-1)",
                ]
            ),
            code("file.add_par_profile(target_model='2D', target_parameter='D', profile_yaml='p.yaml', profile_model='Four')"),
        )
        calls = self.calls()
        self.assertEqual([call["target_parameter"] for call in calls[PROFILE]], ["A", "B", "D"])
        self.assertEqual(calls[DYNAMICS][0]["frequency"], -1)

    def test_only_calls_of_code_cells_about_the_2d_model_count(self):
        self.write(
            markdown(CALL),
            code("# file.add_time_dependence('2D', 'A', 't', 'm')\ntext = \"file.add_time_dependence('2D')\""),
            code("file.add_time_dependence('SbS', name_of(1), 't', model)"),
            code("file.add_par_profile(target_model='profile_base', target_parameter=x, profile_yaml='p', profile_model='M')"),
        )
        self.assertEqual(self.calls(), {PROFILE: [], DYNAMICS: []})

    def test_commands_of_ipython_are_passed_over(self):
        self.write(
            code("%matplotlib inline\n!pip install trspecfit\nfiles = !ls\nfile?\n" + CALL),
            code("%%time\nfile.add_par_profile('2D', 'A', 'p', 'M')"),
            code("%%bash\necho add_par_profile ("),
        )
        calls = self.calls()
        self.assertEqual((len(calls[DYNAMICS]), len(calls[PROFILE])), (1, 1))

    def test_a_percent_sign_at_the_start_of_a_line_may_be_an_operator(self):
        self.write(code("x = (7\n  % 3)\nfile.add_par_profile('2D', 'A', 'p', 'M')"))
        self.assertEqual(len(self.calls()[PROFILE]), 1)

    def test_a_computed_argument_is_named_with_its_cell(self):
        self.write(
            markdown("text"),
            code("import x\n\nfile.add_time_dependence('2D', target_parameter=name + '_x0', dynamics_yaml='t', dynamics_model=models)"),
        )
        self.assert_refused(
            "example.ipynb, cell 2, line 3",
            "`target_parameter`, `dynamics_model` of the call of add_time_dependence are computed",
        )
        self.write(code("file.add_time_dependence(target_model=model, target_parameter='a', dynamics_yaml='t', dynamics_model='m')"))
        self.assert_refused("cell 1, line 1", "`target_model` of the call of add_time_dependence is computed")
        self.write(code("file.add_time_dependence(**arguments)"))
        self.assert_refused("`**` of the call of add_time_dependence is computed")
        self.write(code("file.add_time_dependence('2D', f'{x}', 't', 'm')"))
        self.assert_refused("`target_parameter` of the call")

    def test_a_call_without_its_model_is_refused(self):
        self.write(code("file.add_time_dependence(target_parameter='a')"))
        self.assert_refused("has no argument `target_model`")

    def test_what_is_no_notebook_is_refused(self):
        self.write_text("{not json")
        self.assert_refused("example.ipynb is no notebook: it is not JSON")
        self.write_text(json.dumps({"nbformat": 3, "worksheets": []}))
        self.assert_refused("it is of nbformat 3, and 4 is needed")
        self.write_text("[]")
        self.assert_refused("it has no list `cells`")
        self.write(code("file.add_par_profile(("))
        self.assert_refused("cell 1", "no Python")

    def test_a_broken_cell_without_a_call_is_of_no_interest(self):
        self.write(code("def (:"), code("file.add_par_profile('2D', 'A', 'p', 'M')"))
        self.assertEqual(len(self.calls()[PROFILE]), 1)


class ListsOfCalls(Workflows):
    def test_they_stand_in_for_a_notebook_that_is_not_there(self):
        self.list_calls(
            {
                "03_multi": {
                    "add_par_profile": [],
                    "add_time_dependence": [
                        {"target_model": "2D", "target_parameter": "a", "dynamics_yaml": "t", "dynamics_model": ["A", "B"], "frequency": 0.25},
                        {"target_model": "SbS", "target_parameter": "a", "dynamics_yaml": "t", "dynamics_model": "A"},
                    ],
                }
            }
        )
        self.assertEqual(len(self.calls()[DYNAMICS]), 1)
        self.write()
        self.assertEqual(self.calls(), {PROFILE: [], DYNAMICS: []})

    def test_what_they_lack_is_said(self):
        self.assert_refused("has no example.ipynb, and there is no", "calls.json")
        self.list_calls({"02_other": {}})
        self.assert_refused("has no entry `03_multi`")
        self.list_calls({"03_multi": {"add_time_dependence": [{"target_model": "2D", "frequency": [1, 2]}]}})
        self.assert_refused("`frequency` must be a string, a number or a list of strings")
        self.list_calls({"03_multi": {"add_time_dependence": {"target_model": "2D"}}})
        self.assert_refused("a list of objects is expected")
        self.list_calls({"03_multi": {"add_par_profile": [{}]}})
        self.assert_refused("a call has no `target_model`")


class Cells(Workflows):
    def test_sources_are_texts_or_lists_of_lines(self):
        self.write(code("a\nb"), markdown("c"), code(["d\n", "e"]))
        path = os.path.join(self.folder, "example.ipynb")
        self.assertEqual(list(code_cells(path)), [(1, "a\nb"), (3, "d\ne")])

    def test_a_file_that_is_not_there_is_named(self):
        with self.assertRaises(NotebookError) as caught:
            calls_in(os.path.join(self.folder, "no.ipynb"), {"f": ()}, bool)
        self.assertIn("no.ipynb cannot be read", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
