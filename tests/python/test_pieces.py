"""Pieces of the worker that take a short cut, against what they stand in for."""

import importlib
import inspect
import json
import os
import random
import sys
import tempfile
import types
import unittest

from driver import MAIN

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(MAIN))))

from lcmbench._worker import blocks, source, wire  # noqa: E402
from lcmbench._worker.rules import Rules, release_of  # noqa: E402

ODD = '''
import functools
def deco(*a):
    return lambda f: f
class A:
    @deco(1,
          2)
    # between
    @deco()

    async def one(self,
                  n=(1,
    2)):
        """text
  outdented
        """
        if n:
            return [
1]
        # deep
    # shallow

        # deep again

    def two(self): return (
        1)
        # not of it
    def three(self): pass; pass  # here
    def five(self): \\
        return 1
    class B:
            def six(self):
                    def inner():
                        pass
                        # inner's
                    return inner

            # six's? no
    try:
        def seven(self):
            with open("x"):
                pass
            # of seven
        # of try
    except ValueError:
        def seven(self): pass
    else:
        pass
    if True: 
        def eight(self):
            pass
class Tabs:
\tdef four(self):
\t\tpass
\t\t# tab
\t# less
def last():
    pass
    # at the end'''

MODULES = "argparse ast dataclasses difflib doctest inspect optparse pdb textwrap typing unittest.mock xml.dom.minidom json.decoder turtle".split()


class Blocks(unittest.TestCase):
    def functions(self, code):
        """The functions of a compiled file, nested ones included."""
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                if constant.co_flags & inspect.CO_NEWLOCALS and not constant.co_name.startswith("<"):
                    cells = tuple(types.CellType() for _ in constant.co_freevars)
                    yield types.FunctionType(constant, {}, constant.co_name, None, cells or None)
                yield from self.functions(constant)

    def compare(self, path):
        """How many functions of a file there are, and how many were taken without `inspect`. All must be the same."""
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec", dont_inherit=True)
        total = quick = 0
        for function in self.functions(code):
            total += 1
            found = blocks.quick_lines(function)
            if found is not None:
                quick += 1
                self.assertEqual(found, inspect.getsourcelines(function.__code__), f"{path}: {function.__name__}")
        blocks.forget_files()
        return total, quick

    def test_the_standard_library(self):
        total = quick = 0
        for name in MODULES:
            try:
                path = inspect.getsourcefile(importlib.import_module(name))
            except ImportError:
                continue
            counts = self.compare(path)
            total, quick = total + counts[0], quick + counts[1]
        self.assertGreater(total, 1000)
        self.assertGreater(quick / total, 0.9)

    def test_odd_files(self):
        variants = {"plain": ODD, "newline": ODD + "\n", "windows": ODD.replace("\n", "\r\n"), "bom": "\ufeff" + ODD}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in variants.items():
                with self.subTest(name):
                    path = os.path.join(folder, name + ".py")
                    with open(path, "w", encoding="utf-8", newline="") as file:
                        file.write(text)
                    total, quick = self.compare(path)
                    self.assertEqual(total, 12)
                    self.assertGreater(quick, 9)

    def test_what_is_left_to_inspect(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "latin.py")
            with open(path, "w", encoding="latin-1") as file:
                file.write("# -*- coding: latin-1 -*-\ndef f():\n    return '\u00e9'\n")
            spec = importlib.util.spec_from_file_location("latin", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            self.assertIsNone(blocks.quick_lines(module.f))
            self.assertEqual(blocks.source_lines(module.f)[0], ["def f():\n", "    return '\u00e9'\n"])
        self.assertIsNone(blocks.quick_lines(len))
        self.assertIsNone(source.snippet_of(len))


class Wire(unittest.TestCase):
    def random_value(self, source_of, depth=0):
        kind = source_of.randrange(9 if depth < 4 else 6)
        if kind < 2:
            return source_of.choice([None, True, False])
        if kind == 2:
            return source_of.randrange(-(10**20), 10**20)
        if kind == 3:
            return source_of.choice([0.1, 1e300, 1e-7, float("inf"), -float("inf"), 5e-324, source_of.random()])
        if kind < 6:
            return "".join(chr(source_of.choice([34, 92, 10, 0, 127, 233, 0x1F600, 0xD800, 65])) for _ in range(kind))
        if kind == 6:
            return [self.random_value(source_of, depth + 1) for _ in range(source_of.randrange(4))]
        if kind == 7:
            keys = ["a", "\u00e9", 1, None, True, 2.5]
            return {source_of.choice(keys): self.random_value(source_of, depth + 1) for _ in range(source_of.randrange(4))}
        return (self.random_value(source_of, depth + 1),)

    def test_it_writes_and_reads_as_json_does(self):
        source_of = random.Random(1)
        for _ in range(3000):
            value = self.random_value(source_of)
            text = json.dumps(value)
            self.assertEqual(wire.dumps(value), text)
            self.assertEqual(repr(wire.loads(text)), repr(json.loads(text)))
        self.assertEqual(repr(wire.loads(b"[NaN, Infinity, -Infinity]\n")), "[nan, inf, -inf]")

    def test_it_refuses_what_json_refuses(self):
        circle = []
        circle.append(circle)
        for value in ({1}, circle, {(1,): 2}, object):
            with self.assertRaises((TypeError, ValueError)) as theirs:
                json.dumps(value)
            with self.assertRaises(type(theirs.exception)) as ours:
                wire.dumps(value)
            self.assertEqual(str(ours.exception), str(theirs.exception))
        for text in ("", "{", "x", "[1", "1 2"):
            with self.assertRaises(ValueError):
                wire.loads(text)


class Versions(unittest.TestCase):
    def test_releases(self):
        self.assertEqual([release_of(text) for text in ("0.3.2", "0.3.0rc1", "1", "x")], [(0, 3, 2), (0, 3, 0), (1,), ()])

    def test_rules_by_version(self):
        def of(version):
            rules = Rules(version)
            return rules.copies_attributes, rules.versions_environment, rules.cache_after_functions_only, rules.setup_scope

        self.assertEqual(of(None), (True, True, True, "sample"))
        self.assertEqual(of("0.2.1"), (False, False, False, "sample"))
        self.assertEqual(of("0.2.5"), (False, True, False, "sample"))
        self.assertEqual(of("0.3.0"), (False, True, False, "call"))
        self.assertEqual(of("0.3.1"), (False, True, True, "call"))
        self.assertEqual(of("0.3.2"), (True, True, True, "call"))


if __name__ == "__main__":
    unittest.main()
