"""What is asked of trspecfit, against stand-ins of it that lack something. The real one is tested through the binary."""

import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

import package

STAND_IN = {
    "__init__": """
        class Project:
            def __init__(self, path, name):
                self.show_output = 1
                self.spec_fun_str = "fit_model_gir"

        class File:
            def __init__(self, parent_project, name, **contents):
                pass

            def fit_2d(self, model_name, stages=1, *, seed_source="baseline", **keywords):
                pass
        """,
    "fitlib": "def residual_fun(): pass",
    "graph_ir": "build_graph = can_lower_2d = can_lower_jax_2d = schedule_2d = None",
    "spectra": "fit_model_mcp = fit_model_gir = fit_model_jax = None",
}

PROGRAM = """
import sys, types
sys.path[:0] = [{package!r}, {folder!r}]
from lcmbench.paths import trspecfit_names
try:
    names = trspecfit_names.Names()
    project = names.project("folder")
    file = names.file(project)
    names.fit_2d(file, "2D", from_model=True)
    names.outcome(types.SimpleNamespace(result=types.SimpleNamespace(par_fin=types.SimpleNamespace(params={{}}, redchi=1.0))))
    {more}
except trspecfit_names.MissingName as error:
    print(error)
else:
    print("fine", project.show_output)
"""


class Names(unittest.TestCase):
    def said(self, more="pass", **changes):
        """What the lookup of all names says with a stand-in whose modules are replaced by `changes` (None for none)."""
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "trspecfit"))
            for name, text in {**STAND_IN, **changes}.items():
                if text is not None:
                    with open(os.path.join(folder, "trspecfit", name + ".py"), "w") as file:
                        file.write(textwrap.dedent(text))
            if changes.get("__init__", "") is None:
                os.rename(os.path.join(folder, "trspecfit"), os.path.join(folder, "other"))
            metadata = os.path.join(folder, "trspecfit-0.99.1.dist-info")
            os.mkdir(metadata)
            with open(os.path.join(metadata, "METADATA"), "w") as file:
                file.write("Metadata-Version: 2.1\nName: trspecfit\nVersion: 0.99.1\n")
            program = PROGRAM.format(package=package.FOLDER, folder=folder, more=more)
            # Without the site's packages, so that a real trspecfit cannot be found.
            ran = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False)
        self.assertEqual(ran.stderr, "")
        return ran.stdout.strip()

    def assert_missing(self, name, **changes):
        expected = f"trspecfit 0.99.1 has no `{name}`; this version of lcmbench knows the names of trspecfit 0.20.0"
        self.assertEqual(self.said(**changes), expected)

    def test_all_names_are_found(self):
        self.assertEqual(self.said(), "fine 0")

    def test_version_and_missing_name_are_said(self):
        self.assert_missing("Project", __init__="File = object")
        self.assert_missing("graph_ir", graph_ir=None)
        self.assert_missing("graph_ir.can_lower_2d", graph_ir="build_graph = can_lower_jax_2d = schedule_2d = None")
        self.assert_missing("fitlib.residual_fun", fitlib="residual = None")
        self.assert_missing("spectra.fit_model_gir", spectra="fit_model_mcp = fit_model_jax = None")

    def test_members_are_looked_up_where_they_are_needed(self):
        without_key = STAND_IN["__init__"].replace("self.spec_fun_str", "self.evaluator")
        self.assert_missing("Project.spec_fun_str", __init__=without_key)
        without_seed = STAND_IN["__init__"].replace('*, seed_source="baseline", ', "")
        self.assert_missing("File.fit_2d(seed_source=...)", __init__=without_seed)
        self.assert_missing("Model._lmfit_pars", more="names.parameters(types.SimpleNamespace(lmfit_pars={}))")
        self.assert_missing("Model.result.par_fin", more="names.outcome(types.SimpleNamespace(result=(1, 2)))")
        self.assert_missing("File.add_time_dependence", more="names.attach(file, 'add_time_dependence', {})")

    def test_a_package_that_is_not_there_is_to_be_installed(self):
        said = self.said(__init__=None)
        self.assertTrue(said.startswith(f"trspecfit is not installed for {sys.executable}; install it"), said)


if __name__ == "__main__":
    unittest.main()
