"""Writes suites into temporary folders."""

import os
import tempfile
import textwrap
import unittest


class SuiteCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)

    def suite(self, modules, init="", name="benches"):
        """Writes a suite and returns its folder. `modules` is the text of `bench.py`, or a dict of paths to texts."""
        files = {"bench.py": modules} if isinstance(modules, str) else dict(modules)
        files.setdefault("__init__.py", init)
        for path, text in files.items():
            path = os.path.join(self.folder, name, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))
        return os.path.join(self.folder, name)

    def path(self, name):
        """A path in the test's folder."""
        return os.path.join(self.folder, name)


# Covers every row of discovery; discovery of it by asv itself is the oracle.
WIDE = {
    "__init__.py": """
        def setup_cache():
            return 3

        def time_init(cache):
            pass

        class Base0:
            def setup_cache(self):
                pass
    """,
    "_hidden/__init__.py": "",
    "_hidden/a.py": "def time_x(): pass\n",
    "_under.py": "def time_x(): pass\n",
    "no_package/a.py": "def time_x(): pass\n",
    "zz.py": "def time_top(): pass\n",
    "odd-name.py": "def time_top(): pass\n",
    "sub/__init__.py": """
        import functools
        from .. import Base0

        def deco(f):
            @functools.wraps(f)
            def wrapper(*a, **k):
                return f(*a, **k)
            return wrapper

        class Base1:
            @deco
            @deco
            def setup_cache(self):
                pass

        class A(Base0):
            def time_a(self, cache):
                pass
    """,
    "sub/other.py": """
        def time_one():
            pass

        class Base:
            def time_base(self):
                pass
    """,
    "sub/members.py": """
        import abc, functools
        from .other import time_one as alias_x, time_one as time_alias, Base
        from . import Base1

        class ITimes(abc.ABC):
            @abc.abstractmethod
            def time_a(self): pass

        class Impl(ITimes):
            def time_a(self): pass

        class D(Base1):
            def time_d(self, cache): pass

        class Members:
            @property
            def time_prop(self):
                raise ZeroDivisionError
            @staticmethod
            def time_static(): pass
            @classmethod
            def time_class(cls): pass
            time_lam = lambda self: 1
            time_part = functools.partial(int, 3)
            time_builtin = len
            async def time_async(self): pass
            def time_gen(self): yield
            class Nested:
                def time_n(self): pass
            def track_z(self): return 1
            def Track_upper(self): return 1
            def TrackX(self): return 1
            def TrackXy(self): return 1
            def Trackx(self): return 1
            def time_(self): pass
            def timeit_x(self): pass
            def my_track_x(self): pass
            def time_\u00e9(self): pass
            def mem_x(self): return []
            def MemX(self): return []
            def MemXx(self): return []
            def peakmem_x(self): pass
            def PeakMemXy(self): pass
            def timeraw_x(self): return 'pass'
            def TimerawXy(self): return ''
            def Timeraw_Xy(self): return ''
            def Timerawx(self): return ''
            def Time_raw(self): return ''

        class Sub(Members):
            def time_aaa(self): pass
            def track_z(self): return 1

        Alias = Sub

        class Impl2:
            def _impl(self): pass
            time_b = _impl
            benchmark_name = 'no.time_name'
            def plain(self): pass
            plain.benchmark_name = 'x.y.track_plain'

        time_lambda = lambda: 1
        time_lambda2 = lambda x=(1,
            2): 1
        time_partial = functools.partial(int, 3)
        time_builtin = len
        time_bound = Members().track_z
        async def time_coro(): pass
        def _time_private(): pass
        def time_skipped(): pass
        time_skipped.skip_benchmark = True
        def weird_name(): pass
        weird_name.benchmark_name = 'foo.bar.time_named'
        def time_weird2(): pass
        time_weird2.benchmark_name = 'foo.bar.nomatch'
        def time_redef(): pass
        def time_redef(): return 2
    """,
    "attrs.py": '''
        import functools
        timeout = 7
        number = 3
        unit = 'modunit'
        env = {"Z": "1"}
        repeat = (1, 2, 3.0)
        def setup(*a):
            "module setup"
        def teardown(*a): pass

        class A:
            """doc"""
            rounds = 4
            processes = 5
            params = [1, 2, 2]
            param_names = 'ab'
            pretty_name = 'class pretty'
            version = 3
            def setUp(self, n):

                # comment

                x = """
                multi
            line
                """
            def time_a(self, n):
                pass
                # trailing comment

            # outdented comment
            def time_b(self, n): pass
            time_b.pretty_name = 'pb'
            time_b.timeout = 1.5
            time_b.version = None
            time_b.repeat = 9
            time_b.custom = {'a': 1}
            time_b.customt = (1,)
            time_b._hid = 2
            time_b.fn = len
            time_b.name = 'zzz'
            time_b.type = 'ttt'
            time_b.code = 'ccc'
            time_b.number = None
            time_b.setup = lambda self, n: None
        class B:
            processes = 5
            number = None
            def setup(self):
                pass
            def teardown(self):
                pass
            def setup_cache(self):
                return 1
            setup_cache.timeout = 33
            def time_x(self, c): pass
            def track_x(self, c): return 1
            track_x.unit = 5
            track_x.type = 'foo'
            def track_y(self, c): return 1
            def mem_x(self, c): return 1
            mem_x.unit = 'nope'
            mem_x.type = 'nope'
            def timeraw_num(self, c): return ''
            timeraw_num.number = 4
        class C(B):
            def setup(self): pass
            def time_own(self, c): pass
        class V0:
            version = 0
            def time_x(self): pass
        class Vs:
            version = ''
            def time_x(self): pass
        class Properties:
            @property
            def setup(self): return lambda *a: None
            @property
            def params(self): return [1, 2]
            def time_p(self, n): pass
        class NoSource:
            setup = functools.partial(int, 3)
            teardown = print
            def time_p(self): pass
        class ClassSetup:
            class setup:
                pass
            def time_p(self): pass
        def deco(f):
            @functools.wraps(f)
            def w(*a, **k): return f(*a, **k)
            return w
        def deco2(f):
            def w(*a, **k): return f(*a, **k)
            w.__name__ = f.__name__
            return w
        @deco
        # c between
        @deco
        def time_deco():
            pass


            # far trailing
        x = 1
        @deco2
        def time_deco2(): pass
        class D:
            @deco
            def setup(self): pass
            @deco
            def time_d(self): pass
            @staticmethod
            @deco
            def time_sd(): pass
        def time_ps(): pass
        time_ps.pretty_source = """
            def foo():
                bar

            """
        def mk():
            def time_nested():
                pass
            return time_nested
        time_nested = mk()
        class Outer:
            class Inner:
                def time_i(self):
                    pass
        class Inner2(Outer.Inner):
            def time_j(self):
                if x:
                    return (1,
        2)
        # a comment to the left
                return 3
            def time_k(self): return (
                1)
            # not of it
        class Raw:
            number = None
            env = None
            def timeraw_env(self): return ''
            timeraw_env.env = {'B': '1', 'A': '2'}
            def timeraw_env0(self): return ''
            timeraw_env0.env = {}
        class Numbers:
            def time_num(self): pass
            time_num.number = "7"
            time_num.rounds = 3.7
            time_num.repeat = [1, 10, 3.5]
            time_num.sample_time = 0.1
            time_num.min_run_count = 3
            time_num.warmup_time = 3
            def time_b(self): pass
            time_b.min_run_count = 3.5
            time_b.timeout = 12.5
            time_b.unit = "s"
            time_b.setup_cache_key = 'x'
            time_b.setup_cache_timeout = 4
            time_b.processes = 9
            time_b.goal_time = 1
            time_b.benchmark_timing = 1
            time_b.nothing = None
            def track_b(self): pass
            track_b.unit = None
            track_b.version = 2.50
            track_b.benchmark_timing = 1
            track_b.f = 2.5
            track_b.b = True
            track_b.s = 's'
    ''',
    "pars.py": """
        import enum
        class Obj: pass
        class Obj2:
            def __repr__(self): return '<Obj2 at 0x123>'
        class Obj3:
            def __repr__(self): return '<Obj3 foo at 0x%x>' % id(self)
        class Color(enum.Enum):
            RED = 1
        def f(): pass
        def mk(p, n=None):
            def time_p(*a): pass
            mk.i += 1
            time_p.__name__ = 'time_p%d' % mk.i
            time_p.params = p
            if n is not None:
                time_p.param_names = n
            return time_p
        mk.i = 0
        time_a = mk([Obj(), Obj2(), Obj3(), f, Color.RED, len, Obj, lambda: 1])
        time_b = mk([[1, 2], [3]])
        time_c = mk(([1, 2], (3,)), ['x'])
        time_e = mk([3, (1, 2)])
        time_f = mk([range(3), range(2)])
        time_g = mk(range(3))
        time_h = mk([], ['q'])
        time_i = mk([[]])
        time_j = mk([[1, 1], []], ['a', 'b', 'c'])
        time_k = mk({'a': 1, 'b': 2})
        time_l = mk('abc')
        time_m = mk(['a', "it's", '\\xe9\\udc80', None, 1.0, float('nan'), b'x', '\\n', 'x' * 300], (None,))
        time_n = mk([1, 1.0, True, '1', 1, 'b (0)', 'b (0)'])
        time_o = mk((x for x in range(3)))
        time_p = mk([[1, 2], range(2)])
        time_q = mk(([1, 2],))
        time_r = mk((1, 2))
        time_s = mk([{1: 2}, {3}])
        time_t = mk([[1, 2], 'xy'])
        time_u = mk([[{}, []], [(), set()]], [1, 2])
        time_w = mk(iter([1]), 'zz')
    """,
    "marked.py": """
        from asv_runner.benchmarks.mark import (SkipNotImplemented, parameterize, parameterize_class_with, parameterize_func_with,
            skip_benchmark, skip_benchmark_if, skip_for_params, skip_params_if, timeout_at, timeout_class_at, timeout_func_at)
        @skip_benchmark
        def time_no(): pass
        @skip_benchmark_if(True)
        def time_no2(): pass
        @skip_benchmark_if(False)
        def time_yes(): pass
        @parameterize({"n": [1, 2], "m": ["a", "b"]})
        class P:
            @skip_for_params([(1, "a")])
            def time_p(self, n, m): pass
            @skip_params_if([(2, "b")], True)
            def track_p(self, n, m): return n
            @skip_params_if([(2, "b")], False)
            def track_q(self, n, m): return n
        @parameterize_class_with({"n": [1, 2]})
        @timeout_class_at(9)
        class Q:
            @timeout_at(3)
            def time_q(self, n): pass
            @timeout_func_at(4)
            def time_r(self, n): pass
            @parameterize_func_with({"k": range(2)})
            def time_s(self, k): pass
        @timeout_at(5)
        class R:
            def time_r(self): pass
            @skip_benchmark
            def time_no(self): pass
        @skip_for_params([(1,)])
        class TimeLost:
            def time_lost(self): pass
    """,
}
