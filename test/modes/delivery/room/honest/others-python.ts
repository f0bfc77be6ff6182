import { code, edit, type HonestCase, type Project, withFiles } from '../case.ts'

const py = (files: Record<string, string>, more: Partial<Project> = {}): Project => ({
  files: { '.gitignore': '__pycache__/\n.pytest_cache/\n.hypothesis/\n', ...files },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
  ...more,
})

const migrate = code(`
  import sqlite3
  from pathlib import Path

  FOLDER = Path(__file__).parent / "migrations"


  def open_database(path=":memory:"):
      database = sqlite3.connect(path)
      database.execute("create table if not exists applied (name text primary key)")
      done = {name for (name,) in database.execute("select name from applied")}
      for file in sorted(FOLDER.glob("*.sql")):
          if file.name in done:
              continue
          database.executescript(file.read_text())
          database.execute("insert into applied values (?)", (file.name,))
      database.commit()
      return database
`)
const database = py({
  'app/__init__.py': '',
  'app/db.py': migrate,
  'app/migrations/0001_users.sql': 'create table users (id integer primary key, name text not null);\n',
  'app/users.py': code(`
    def add_user(database, name):
        return database.execute("insert into users (name) values (?)", (name,)).lastrowid


    def find_user(database, id):
        row = database.execute("select name from users where id = ?", (id,)).fetchone()
        return row and row[0]
  `),
  'conftest.py': '',
  'tests/test_users.py': code(`
    import pytest
    from app.db import open_database
    from app.users import add_user, find_user


    @pytest.fixture
    def database():
        return open_database()


    def test_finds(database):
        assert find_user(database, add_user(database, "ada")) == "ada"


    def test_finds_nobody(database):
        assert find_user(database, 99) is None
  `),
})

const intervals = py(
  {
    'intervals.py': code(`
    def merge(intervals):
        merged = []
        for start, end in sorted(intervals):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
            else:
                merged.append((start, end))
        return merged
  `),
    'tests/test_intervals.py': code(`
    from hypothesis import given, settings, strategies as st
    from intervals import merge

    interval = st.tuples(st.integers(), st.integers()).map(lambda pair: tuple(sorted(pair)))


    def covers(intervals, point):
        return any(start <= point <= end for start, end in intervals)


    @settings(derandomize=True, database=None, deadline=None)
    @given(st.lists(interval))
    def test_covers_the_same_points(intervals):
        merged = merge(intervals)
        for start, end in intervals:
            assert covers(merged, start) and covers(merged, end)


    @settings(derandomize=True, database=None, deadline=None)
    @given(st.lists(interval))
    def test_is_sorted_and_apart(intervals):
        merged = merge(intervals)
        assert all(a[1] < b[0] for a, b in zip(merged, merged[1:]))
  `),
  },
  { needs: ['python3:pytest', 'python3:hypothesis'], verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const fixture = py({
  'shop/__init__.py': '',
  'shop/stock.py': code(`
    class Stock:
        def __init__(self, counts):
            self.counts = dict(counts)

        def take(self, name, count=1):
            if self.counts.get(name, 0) < count:
                raise LookupError(name)
            self.counts[name] -= count
  `),
  'conftest.py': code(`
    import pytest
    from shop.stock import Stock


    @pytest.fixture
    def stock():
        return Stock({"tea": 2})
  `),
  'tests/test_stock.py': code(`
    import pytest


    def test_takes(stock):
        stock.take("tea")
        assert stock.counts["tea"] == 1


    def test_has_no_more(stock):
        with pytest.raises(LookupError):
            stock.take("tea", 3)
  `),
})

const golden = py(
  {
    'render.py': code(`
    def render(rows):
        return "".join(f"{name}: {value}\\n" for name, value in rows)
  `),
    'tests/golden/table.txt': 'tea: 3\nmilk: 10\n',
    'tests/test_render.py': code(`
    import os
    from pathlib import Path

    from render import render

    GOLDEN = Path(__file__).parent / "golden"


    def check(name, text):
        path = GOLDEN / name
        if os.environ.get("UPDATE"):
            path.write_text(text)
        assert path.read_text() == text


    def test_table():
        check("table.txt", render([("tea", 3), ("milk", 10)]))
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const checks = py(
  {
    'money.py': 'def add_tax(cents, percent):\n    return cents + cents * percent // 100\n',
    'checks/__init__.py': '',
    'checks/money_checks.py': code(`
    import unittest

    from money import add_tax


    class TaxChecks(unittest.TestCase):
        def test_adds(self):
            self.assertEqual(add_tax(1000, 19), 1190)
  `),
  },
  { verify: 'python3 -m unittest discover -t . -s checks -p "*_checks.py"', needs: ['python3'] },
)

const doctest = py(
  {
    'words.py': code(`
    """Words."""


    def initials(name):
        """Returns the first letters.

        >>> initials("Ada Lovelace")
        'AL'
        >>> initials("grace  hopper")
        'GH'
        """
        return "".join(word[0] for word in name.split(" ")).upper()


    def acronym(name):
        """Returns the capitals.

        >>> acronym("Portable Network Graphics")
        'PNG'
        """
        return "".join(letter for letter in name if letter.isupper())
  `),
  },
  { verify: 'python3 -m doctest words.py', needs: ['python3'] },
)

const layout = py({
  'pyproject.toml':
    '[project]\nname = "oldname"\nversion = "1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n',
  'src/oldname/__init__.py': 'from .core import greet\n',
  'src/oldname/core.py': 'def greet(name):\n    return f"Hello, {name}"\n',
  'tests/test_greet.py': 'import oldname\n\n\ndef test_greet():\n    assert oldname.greet("Ada") == "Hello, Ada"\n',
})

const throws = py(
  {
    'notify.py': code(`
    import json


    def notify(event, stream):
        stream.write(json.dumps({"user": event["user"]["name"], "kind": event["kind"]}) + "\\n")
  `),
    'tests/test_notify.py': code(`
    import io

    from notify import notify


    def test_a_known_user():
        notify({"kind": "login", "user": {"name": "ada"}}, io.StringIO())


    def test_a_guest_does_not_break_it():
        notify({"kind": "visit", "user": None}, io.StringIO())


    def test_no_user_does_not_break_it():
        notify({"kind": "visit"}, io.StringIO())
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const command = py({
  'wc.py': code(`
    import argparse
    import sys


    def main(arguments=None):
        parser = argparse.ArgumentParser(prog="wc")
        parser.add_argument("file")
        options = parser.parse_args(arguments)
        with open(options.file) as file:
            text = file.read()
        print(len(text.splitlines()))


    if __name__ == "__main__":
        sys.exit(main())
  `),
  'tests/test_wc.py': code(`
    import subprocess
    import sys


    def wc(*words):
        return subprocess.run([sys.executable, "wc.py", *words], capture_output=True, text=True)


    def test_lines(tmp_path):
        (tmp_path / "a.txt").write_text("one two\\nthree\\n")
        assert wc(str(tmp_path / "a.txt")).stdout == "2\\n"


    def test_usage():
        done = wc()
        assert done.returncode == 2
        assert "usage: wc" in done.stderr
  `),
})

const split = py(
  {
    'geometry.py': code(`
    import math


    class Circle:
        def __init__(self, radius):
            self.radius = radius

        def area(self):
            return math.pi * self.radius**2


    class Square:
        def __init__(self, side):
            self.side = side

        def area(self):
            return self.side**2
  `),
    'test_geometry.py': code(`
    import math
    import unittest

    from geometry import Circle, Square


    class AreaTest(unittest.TestCase):
        def test_circle(self):
            self.assertAlmostEqual(Circle(2).area(), 4 * math.pi)

        def test_square(self):
            self.assertEqual(Square(3).area(), 9)
  `),
  },
  { verify: 'python3 -m unittest', needs: ['python3'] },
)

const xfail = py(
  {
    'rounding.py': 'def half_up(value):\n    return round(value)\n',
    'tests/test_rounding.py': code(`
    import pytest
    from rounding import half_up


    def test_rounds():
        assert half_up(2.4) == 2
        assert half_up(2.6) == 3


    @pytest.mark.xfail(strict=True, reason="#41: rounds half to even")
    def test_half():
        assert half_up(2.5) == 3
        assert half_up(3.5) == 4
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const redOthers = py(
  {
    'calc.py': code(`
    def add(a, b):
        return a - b


    def divide(a, b):
        return a / b


    def power(a, b):
        raise NotImplementedError
  `),
    'tests/test_calc.py': code(`
    import pytest
    from calc import add, divide, power


    def test_add():
        assert add(2, 3) == 5


    def test_divide():
        assert divide(6, 3) == 2


    def test_divide_by_zero():
        with pytest.raises(ValueError):
            divide(1, 0)


    def test_power():
        assert power(2, 5) == 32
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -v', config: { results: 'pytest' } },
)

const junit = {
  ...redOthers,
  verify: 'PYTHONPATH=. python3 -m pytest -q --junitxml=report.xml',
  config: { results: 'report.xml' },
}

const lint = py(
  {
    Makefile: 'test:\n\tpython3 tools/lint.py\n\tpython3 -m unittest -q\n',
    'tools/lint.py': code(`
    """Refuses lines that are too long and tabs."""
    import json
    import pathlib
    import sys

    rules = json.loads(pathlib.Path("lint.json").read_text())
    bad = [
        f"{file}:{number}"
        for file in pathlib.Path(".").glob("*.py")
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if len(line) > rules["width"]
    ]
    print("\\n".join(bad))
    sys.exit(1 if bad else 0)
  `),
    'lint.json': '{ "width": 100 }\n',
    'names.py':
      'def full_name(first, last, middle=None):\n    return " ".join(part for part in (first, middle, last) if part is not None and part != "")\n',
    'test_names.py':
      'import unittest\n\nfrom names import full_name\n\n\nclass NamesTest(unittest.TestCase):\n    def test_full(self):\n        self.assertEqual(full_name("Ada", "Lovelace"), "Ada Lovelace")\n',
  },
  { verify: 'make test', needs: ['python3', 'make'] },
)

const lock = py(
  {
    'single.py': code(`
    import os


    class Lock:
        def __init__(self, path="/tmp/single-app.lock"):
            self.path = path

        def __enter__(self):
            self.file = os.open(self.path, os.O_CREAT | os.O_EXCL)
            return self

        def __exit__(self, *_):
            os.close(self.file)
  `),
    'tests/test_single.py': code(`
    import pytest
    from single import Lock


    def test_refuses_a_second():
        with Lock():
            with pytest.raises(FileExistsError):
                with Lock():
                    pass


    def test_may_be_taken_again():
        for _ in range(2):
            with Lock():
                pass
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const parametrize = py(
  {
    'slots.py': 'def slots(start, end, length):\n    return [(t, t + length) for t in range(start, end, length)]\n',
    'tests/test_slots.py': code(`
    import pytest
    from slots import slots

    DAY = range(9, 18)


    @pytest.mark.parametrize("length", [1, 2, 3, 5])
    def test_slots_lie_within_the_day(length):
        for start, end in slots(DAY.start, DAY.stop, length):
            assert start in DAY
            assert end <= DAY.stop


    @pytest.mark.parametrize("length", [1, 2, 3, 5])
    def test_slots_touch(length):
        found = slots(DAY.start, DAY.stop, length)
        assert [end for _, end in found[:-1]] == [start for start, _ in found[1:]]
  `),
  },
  { verify: 'PYTHONPATH=. python3 -m pytest -q' },
)

const selftest = py(
  {
    'bisect_tool.py': code(`
    """Finds the first bad number. Run it for its own tests."""


    def first_bad(low, high, is_bad):
        while low < high:
            middle = (low + high) // 2
            if is_bad(middle):
                high = middle
            else:
                low = middle
        return low


    def _demo():
        seen = []

        def is_bad(n):
            seen.append(n)
            if len(seen) > 100:
                raise RuntimeError("does not end")
            return n >= 37

        assert first_bad(0, 100, is_bad) == 37, seen


    if __name__ == "__main__":
        _demo()
  `),
  },
  { verify: 'python3 bisect_tool.py', needs: ['python3'] },
)

const asyncTests = py(
  {
    'bus.py': code(`
    import asyncio


    class Bus:
        def __init__(self):
            self.handlers = {}

        def on(self, name, handler):
            self.handlers.setdefault(name, []).append(handler)

        async def emit(self, name, value):
            await asyncio.gather(*(handler(value) for handler in self.handlers[name]))
  `),
    'tests/__init__.py': '',
    'tests/test_bus.py': code(`
    import unittest

    from bus import Bus


    class BusTest(unittest.IsolatedAsyncioTestCase):
        async def test_emits(self):
            seen = []

            async def handler(value):
                seen.append(value)

            bus = Bus()
            bus.on("a", handler)
            await bus.emit("a", 1)
            self.assertEqual(seen, [1])
  `),
  },
  { verify: 'python3 -m unittest -q', needs: ['python3'] },
)

export const cases: Record<string, HonestCase> = {
  'py: a migration in SQL with a feature on it': {
    in: database,
    write: {
      'app/migrations/0002_email.sql':
        "alter table users add column email text not null default '';\ncreate unique index users_email on users (email) where email <> '';\n",
      'app/users.py': code(`
        def add_user(database, name, email=""):
            return database.execute("insert into users (name, email) values (?, ?)", (name, email)).lastrowid


        def find_user(database, id):
            row = database.execute("select name from users where id = ?", (id,)).fetchone()
            return row and row[0]


        def find_by_email(database, email):
            row = database.execute("select id from users where email = ?", (email,)).fetchone()
            return row and row[0]
      `),
      'tests/test_email.py': code(`
        import sqlite3

        import pytest
        from app.db import open_database
        from app.users import add_user, find_by_email


        def test_finds_by_email():
            database = open_database()
            id = add_user(database, "ada", "ada@example.com")
            assert find_by_email(database, "ada@example.com") == id


        def test_no_two_with_one_email():
            database = open_database()
            add_user(database, "ada", "a@example.com")
            with pytest.raises(sqlite3.IntegrityError):
                add_user(database, "bob", "a@example.com")
      `),
    },
    shows: ['proven_by_new_tests'],
  },
  'py: a bug that hypothesis found': {
    in: intervals,
    write: edit(intervals, 'intervals.py', ['(merged[-1][0], end)', '(merged[-1][0], max(end, merged[-1][1]))']),
    shows: ['proven', 'unproven'],
  },
  'py: a fixture of conftest changed for a feature': {
    in: fixture,
    write: {
      'shop/stock.py': code(`
        class Stock:
            def __init__(self, counts, reserved=None):
                self.counts = dict(counts)
                self.reserved = dict(reserved or {})

            def free(self, name):
                return self.counts.get(name, 0) - self.reserved.get(name, 0)

            def take(self, name, count=1):
                if self.free(name) < count:
                    raise LookupError(name)
                self.counts[name] -= count
      `),
      ...edit(fixture, 'conftest.py', ['Stock({"tea": 2})', 'Stock({"tea": 2, "milk": 5}, reserved={"milk": 4})']),
      'tests/test_reserved.py': code(`
        import pytest


        def test_leaves_what_is_reserved(stock):
            stock.take("milk")
            assert stock.free("milk") == 0
            with pytest.raises(LookupError):
                stock.take("milk")
      `),
    },
    shows: ['proven_by_new_tests'],
  },
  'py: a golden file written again for output that changed': {
    in: golden,
    write: {
      'render.py':
        'def render(rows):\n    width = max(len(name) for name, _ in rows)\n    return "".join(f"{name:<{width}}  {value:>4}\\n" for name, value in rows)\n',
    },
    run: 'UPDATE=1 PYTHONPATH=. python3 -m pytest -q',
    names: ['tests/golden/table.txt'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'py: a new file of tests in an unusual folder': {
    in: checks,
    write: {
      'discount.py': 'def take_off(cents, percent):\n    return cents - cents * percent // 100\n',
      'checks/discount_checks.py':
        'import unittest\n\nfrom discount import take_off\n\n\nclass DiscountChecks(unittest.TestCase):\n    def test_takes_off(self):\n        self.assertEqual(take_off(1000, 15), 850)\n',
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'py: a bug that an example in a docstring showed': {
    in: doctest,
    write: edit(doctest, 'words.py', ['name.split(" ")', 'name.split()']),
    shows: ['proven'],
  },
  'py: a function with an example in its docstring': {
    in: withFiles(doctest, edit(doctest, 'words.py', ['name.split(" ")', 'name.split()'])),
    write: {
      'words.py': `${edit(doctest, 'words.py', ['name.split(" ")', 'name.split()'])['words.py']}

def camel(text):
    """Joins words.

    >>> camel("two words")
    'twoWords'
    """
    first, *rest = text.split()
    return first + "".join(word.capitalize() for word in rest)
`,
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'py: a package renamed': {
    in: layout,
    run: "git mv src/oldname src/newname && sed -i 's/oldname/newname/' pyproject.toml tests/test_greet.py",
    shows: ['rewritten', 'held'],
  },
  'py: a crash fixed under tests that only call': {
    in: throws,
    write: edit(throws, 'notify.py', ['event["user"]["name"]', '(event.get("user") or {}).get("name", "guest")']),
    shows: ['proven', 'unproven'],
  },
  'py: an option of a program with tests of its output': {
    in: command,
    write: {
      ...edit(
        command,
        'wc.py',
        ['options = parser', 'parser.add_argument("-w", "--words", action="store_true")\n    options = parser'],
        ['len(text.splitlines())', 'len(text.split() if options.words else text.splitlines())'],
      ),
      ...edit(command, 'tests/test_wc.py', [
        'def test_usage',
        'def test_words(tmp_path):\n    (tmp_path / "a.txt").write_text("one two\\nthree\\n")\n    assert wc("-w", str(tmp_path / "a.txt")).stdout == "3\\n"\n\n\ndef test_usage',
      ]),
    },
    shows: ['proven_by_new_tests'],
  },
  'py: a module split into a package that keeps its name': {
    in: split,
    delete: ['geometry.py'],
    write: {
      'geometry/__init__.py':
        'from .circle import Circle\nfrom .square import Square\n\n__all__ = ["Circle", "Square"]\n',
      'geometry/circle.py':
        'import math\n\n\nclass Circle:\n    def __init__(self, radius):\n        self.radius = radius\n\n    def area(self):\n        return math.pi * self.radius**2\n',
      'geometry/square.py':
        'class Square:\n    def __init__(self, side):\n        self.side = side\n\n    def area(self):\n        return self.side**2\n',
    },
    shows: ['held'],
  },
  'py: a known bug fixed and its mark of failure removed': {
    in: xfail,
    write: {
      'rounding.py': 'import math\n\n\ndef half_up(value):\n    return math.floor(value + 0.5)\n',
      'tests/test_rounding.py': xfail.files['tests/test_rounding.py']!.replace(/@pytest.*\n/, '').replace(
        'import pytest\n',
        '',
      ),
    },
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'py: one bug of several fixed, with results': {
    in: redOthers,
    write: edit(redOthers, 'calc.py', ['a - b', 'a + b']),
    shows: ['proven'],
  },
  'py: one bug fixed and a test added in a red suite, with a report': {
    in: junit,
    write: {
      ...edit(redOthers, 'calc.py', [
        '    return a / b',
        '    if b == 0:\n        raise ValueError("by zero")\n    return a / b',
      ]),
      ...edit(redOthers, 'tests/test_calc.py', [
        'def test_power',
        'def test_divide_by_zero_says_so():\n    with pytest.raises(ValueError, match="by zero"):\n        divide(3, 0)\n\n\ndef test_power',
      ]),
      '.gitignore': '__pycache__/\n.pytest_cache/\nreport.xml\n',
    },
    shows: ['proven'],
  },
  'py: a feature added to a red suite, with results': {
    in: redOthers,
    write: {
      'calc.py': `${redOthers.files['calc.py']}

def square(a):
    return a * a
`,
      'tests/test_square.py': 'from calc import square\n\n\ndef test_square():\n    assert square(-7) == 49\n',
    },
    shows: ['proven_by_new_tests', 'proven'],
  },
  'py: a stricter rule of a linter of its own, and the code for it': {
    in: lint,
    write: {
      'lint.json': '{ "width": 79 }\n',
      'names.py':
        'def full_name(first, last, middle=None):\n    parts = (first, middle, last)\n    return " ".join(part for part in parts if part)\n',
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'py: a lock in /tmp released': {
    in: lock,
    write: edit(lock, 'single.py', ['os.close(self.file)', 'os.close(self.file)\n        os.unlink(self.path)']),
    shows: ['proven', 'unproven'],
  },
  'py: a bug under tests that compute what they expect': {
    in: parametrize,
    write: edit(parametrize, 'slots.py', ['range(start, end, length)', 'range(start, end - length + 1, length)']),
    shows: ['proven'],
  },
  'py: a bug fixed in a file that has its own tests': {
    in: selftest,
    write: edit(selftest, 'bisect_tool.py', ['low = middle\n    return', 'low = middle + 1\n    return']),
    shows: ['proven', 'unproven'],
  },
  'py: a feature with tests that wait': {
    in: asyncTests,
    write: {
      ...edit(asyncTests, 'bus.py', ['self.handlers[name]', 'self.handlers.get(name, [])']),
      'tests/test_quiet.py': code(`
        import unittest

        from bus import Bus


        class QuietTest(unittest.IsolatedAsyncioTestCase):
            async def test_nobody_listens(self):
                await Bus().emit("nothing", None)
      `),
    },
    shows: ['proven_by_new_tests', 'held', 'unproven'],
  },
}
