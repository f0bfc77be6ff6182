import { type Case, type Project, withFiles } from '../case.ts'

type HonestCase = Case & { readonly shows: readonly string[] }

// pytest, with the package beside its tests.

const romanProduct = `"""Roman numerals."""

PARTS = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def to_roman(number):
    """Return a number from 1 to 39 as a Roman numeral."""
    if not 1 <= number <= 39:
        raise ValueError(f"out of range: {number}")
    text = ""
    for value, letters in PARTS:
        while number >= value:
            text += letters
            number -= value
    return text
`

const romanTest = `import pytest

from textkit.roman import to_roman


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "I"),
        (4, "IV"),
        (9, "IX"),
        (14, "XIV"),
        (38, "XXXVIII"),
    ],
)
def test_numbers(number, text):
    assert to_roman(number) == text


@pytest.mark.parametrize("number", [0, -3, 40])
def test_out_of_range(number):
    with pytest.raises(ValueError, match="out of range"):
        to_roman(number)
`

const wrapProduct = `"""Breaks text into lines."""


def wrap(text, width=20):
    lines = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return lines + [line] if line else lines


def initials(name):
    return "".join(part[0].upper() for part in name.split())
`

const wrapTest = `from textkit.wrap import initials, wrap


def test_short_text_is_one_line():
    assert wrap("a short text") == ["a short text"]


def test_long_text_is_broken_between_words():
    assert wrap("the quick brown fox jumps over", width=10) == ["the quick", "brown fox", "jumps over"]


def test_no_text_has_no_lines():
    assert wrap("") == []
    assert wrap("   ") == []


def test_initials():
    assert initials("ada lovelace") == "AL"
    assert initials("Grace Brewster Hopper") == "GBH"
`

const setup = `[project]
name = "textkit"
version = "0.5.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["."]
`

const textkit: Project = {
  files: {
    'pyproject.toml': setup,
    'README.md': '# textkit\n\nSmall functions for text.\n',
    '.gitignore': '__pycache__/\n*.pyc\n.pytest_cache/\n',
    'textkit/__init__.py': '',
    'textkit/roman.py': romanProduct,
    'textkit/wrap.py': wrapProduct,
    'tests/test_roman.py': romanTest,
    'tests/test_wrap.py': wrapTest,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const redTextkit = withFiles(textkit, {
  'textkit/wrap.py': wrapProduct.replace('len(line) + 1 + len(word) > width', 'len(line) + 1 + len(word) >= width'),
})

const redEverywhere = withFiles(textkit, {
  'textkit/roman.py': romanProduct.replace('(9, "IX"), ', '').replace('(4, "IV"), ', ''),
  'textkit/wrap.py': wrapProduct
    .replace('part[0].upper()', 'part[0]')
    .replace('+ [line] if line else lines', '+ [line]'),
})

const biggerRoman = romanProduct
  .replace('PARTS = [(10', 'PARTS = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10')
  .replace('from 1 to 39', 'from 1 to 399')
  .replace('<= 39', '<= 399')

// pytest, with a layout of src, settings in pytest.ini and fixtures.

const ledgerProduct = `from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    account: str
    cents: int


@dataclass
class Ledger:
    entries: list = field(default_factory=list)

    def book(self, account, cents):
        self.entries.append(Entry(account, cents))

    def balance(self, account):
        return sum(entry.cents for entry in self.entries if entry.account == account)

    def report(self):
        names = sorted({entry.account for entry in self.entries})
        return "".join(f"{name}: {self.balance(name) / 100:.2f}\\n" for name in names)
`

const ledgerTest = `from pathlib import Path

GOLDEN = Path(__file__).parent / "golden" / "report.txt"


def test_balance(ledger):
    assert ledger.balance("rent") == -85000
    assert ledger.balance("salary") == 210000
    assert ledger.balance("books") == 0


def test_report(ledger):
    assert ledger.report() == GOLDEN.read_text(encoding="utf-8")
`

const ledgerSetup = `import pytest

from ledger import Ledger


@pytest.fixture
def ledger():
    ledger = Ledger()
    ledger.book("rent", -80000)
    ledger.book("salary", 210000)
    ledger.book("rent", -5000)
    return ledger
`

const ledger: Project = {
  files: {
    'pytest.ini':
      '[pytest]\naddopts = --strict-markers\npythonpath = src\ntestpaths = tests\nmarkers =\n    slow: takes long\n',
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    'src/ledger.py': ledgerProduct,
    'tests/conftest.py': ledgerSetup,
    'tests/test_ledger.py': ledgerTest,
    'tests/golden/report.txt': 'rent: -850.00\nsalary: 2100.00\n',
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

// unittest.

const weatherProduct = `import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

READINGS = {"kiel": 11.5, "bonn": 14.0}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        town = self.path.strip("/")
        if town in READINGS:
            self.answer(200, {"town": town, "celsius": READINGS[town]})
        else:
            self.answer(404, {"error": "unknown town"})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


def new_server():
    return ThreadingHTTPServer(("127.0.0.1", 0), Handler)
`

const weatherTest = `import json
import threading
import unittest
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

from weather import new_server


class WeatherTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = new_server()
        threading.Thread(target=cls.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def get(self, path):
        address = f"http://127.0.0.1:{self.server.server_port}{path}"
        with build_opener(ProxyHandler({})).open(address, timeout=5) as response:
            return json.load(response)

    def test_town(self):
        self.assertEqual(self.get("/kiel"), {"town": "kiel", "celsius": 11.5})

    def test_unknown_town(self):
        with self.assertRaises(HTTPError) as caught:
            self.get("/atlantis")
        self.assertEqual(caught.exception.code, 404)
        caught.exception.close()


if __name__ == "__main__":
    unittest.main()
`

const weather: Project = {
  files: { '.gitignore': '__pycache__/\n', 'weather.py': weatherProduct, 'test_weather.py': weatherTest },
  verify: 'python3 -m unittest',
  needs: ['python3'],
}

const planProduct = `"""Puts tasks into an order in which each comes after those that it needs."""


class CycleError(Exception):
    pass


def order(needs):
    done, active = [], set()

    def visit(task):
        if task in done:
            return
        active.add(task)
        for other in needs.get(task, ()):
            visit(other)
        active.discard(task)
        done.append(task)

    for task in needs:
        visit(task)
    return done
`

const planTest = `import unittest

from planner.order import order


class OrderTest(unittest.TestCase):
    def test_needs_come_first(self):
        result = order({"bake": ["mix", "heat"], "mix": ["buy"], "eat": ["bake"]})
        self.assertTrue(result.index("buy") < result.index("mix") < result.index("bake"))
        self.assertTrue(result.index("heat") < result.index("bake"))
        self.assertEqual(result[-1], "eat")

    def test_nothing(self):
        self.assertFalse(order({}))
`

const planner: Project = {
  files: {
    '.gitignore': '__pycache__/\n*.egg-info/\n',
    'planner/__init__.py': '',
    'planner/__main__.py': `import sys

from planner.order import order

needs = {}
for line in sys.stdin:
    task, _, rest = line.partition(":")
    needs[task.strip()] = rest.split(",")
print(" ".join(order(needs)))
`,
    'planner/order.py': planProduct,
    'tests/__init__.py': '',
    'tests/test_order.py': planTest,
  },
  verify: 'python3 -m unittest discover -s tests -t .',
  needs: ['python3'],
}

const mainTest = `import subprocess
import sys
import unittest


def plan(text):
    return subprocess.run([sys.executable, "-m", "planner"], input=text, capture_output=True, text=True, check=True)


class MainTest(unittest.TestCase):
    def test_reads_tasks(self):
        self.assertEqual(plan("bake: mix, heat\\nmix: buy\\n").stdout, "buy mix heat bake\\n")

    def test_task_that_needs_nothing(self):
        self.assertEqual(plan("rest:\\n").stdout, "rest\\n")
`

// Doctests, caches and chance.

const fetchProduct = `import json
import os
from pathlib import Path


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "rates-of-today"


def rate(currency, load):
    """Return the rate of a currency. Asks load only if the cache does not know it."""
    file = cache_folder() / f"{currency}.json"
    if file.exists():
        return json.loads(file.read_text())
    value = load(currency)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))
    return value
`

const fetchTest = `import uuid

import pytest

from rates import cache_folder, rate


@pytest.fixture
def currency():
    name = f"test-{uuid.uuid4()}"
    yield name
    (cache_folder() / f"{name}.json").unlink(missing_ok=True)


def test_asks_once(currency):
    asked = []
    load = lambda name: asked.append(name) or 1.25
    assert rate(currency, load) == 1.25
    assert rate(currency, load) == 1.25
    assert asked == [currency]


def test_cache_is_a_file(currency):
    rate(currency, lambda name: 0.5)
    assert (cache_folder() / f"{currency}.json").read_text() == "0.5"
`

const rates: Project = {
  files: {
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    'rates.py': fetchProduct,
    'test_rates.py': fetchTest,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const shuffleProduct = `import random
import time


def draw(names, count, seed=None):
    """Draw some of the names, each at most once."""
    return random.Random(seed).choices(list(names), k=count)


def stamp(now=None):
    return time.strftime("%Y-%m-%d", time.gmtime(now))
`

const lottery: Project = {
  files: {
    '.gitignore': '__pycache__/\n',
    'lottery.py': shuffleProduct,
    'test_lottery.py': `import random
import time
import unittest

from lottery import draw, stamp

NAMES = ["ada", "bob", "cleo", "dan", "eve"]


class LotteryTest(unittest.TestCase):
    def test_draws_each_name_once(self):
        for _ in range(50):
            drawn = draw(NAMES, random.randint(2, 5))
            self.assertEqual(len(set(drawn)), len(drawn))
            self.assertLessEqual(set(drawn), set(NAMES))

    def test_same_seed_same_names(self):
        self.assertEqual(draw(NAMES, 3, seed=7), draw(NAMES, 3, seed=7))

    def test_stamp(self):
        self.assertEqual(stamp(0), "1970-01-01")
        self.assertRegex(stamp(), r"^20\\d\\d-\\d\\d-\\d\\d$")
        self.assertLessEqual(stamp(time.time() - 90000), stamp())
`,
  },
  verify: 'python3 -m unittest -q',
  needs: ['python3'],
}

const unitsProduct = `"""Converts lengths.

>>> to_metres(3, "km")
3000
>>> to_metres(1, "mile")
1609.344
"""

FACTORS = {"m": 1, "km": 1000, "mile": 1609.344}


def to_metres(value, unit):
    return value * FACTORS[unit]
`

const units: Project = {
  files: { '.gitignore': '__pycache__/\n', 'units.py': unitsProduct, 'README.md': '# units\n' },
  verify: 'python3 -m doctest units.py',
  needs: ['python3'],
}

const tableProduct = `import csv


def read_people(path):
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["name"], int(row["born"])) for row in csv.DictReader(file)]
`

const people: Project = {
  files: {
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    '.gitattributes': '*.csv -text\n',
    'people.py': tableProduct.replace('int(row["born"])', 'row["born"]'),
    'tests/conftest.py': 'import sys\nfrom pathlib import Path\n\nsys.path.insert(0, str(Path(__file__).parents[1]))\n',
    'tests/data/people.csv': 'name,born\r\nAda Lovelace,1815\r\nÉmilie du Châtelet,1706\r\n',
    'tests/test_people.py': `from pathlib import Path

from people import read_people

DATA = Path(__file__).parent / "data"


def test_reads_lines_of_windows():
    assert b"\\r\\n" in (DATA / "people.csv").read_bytes()
    assert read_people(DATA / "people.csv") == [("Ada Lovelace", 1815), ("Émilie du Châtelet", 1706)]
`,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

/** What honest agents do in projects of Python. */
export const cases: Readonly<Record<string, HonestCase>> = {
  'a bug fixed that a test showed': {
    in: redTextkit,
    write: { 'textkit/wrap.py': wrapProduct },
    shows: ['proven'],
  },
  'a red suite of which all tests become green': {
    in: redEverywhere,
    write: { 'textkit/roman.py': romanProduct, 'textkit/wrap.py': wrapProduct },
    shows: ['proven'],
  },
  'a bug fixed with a test for it, and caches left behind': {
    in: redTextkit,
    write: {
      'textkit/wrap.py': wrapProduct,
      'tests/test_wrap.py': `${wrapTest}

def test_a_word_as_long_as_the_line():
    assert wrap("abcde fghij", width=5) == ["abcde", "fghij"]
    assert wrap("ab cd", width=5) == ["ab cd"]
`,
    },
    run: 'python3 -m pytest -q && mkdir -p .pytest_cache/v/cache && echo {} >.pytest_cache/v/cache/lastfailed',
    shows: ['proven'],
  },
  'a table of parameters extended for a feature': {
    in: textkit,
    write: {
      'textkit/roman.py': biggerRoman,
      'tests/test_roman.py': romanTest
        .replace(
          '        (38, "XXXVIII"),\n',
          '        (38, "XXXVIII"),\n        (99, "XCIX"),\n        (344, "CCCXLIV"),\n',
        )
        .replace('[0, -3, 40]', '[0, -3, 400]'),
    },
    shows: ['rewritten', 'proven_by_new_tests'],
  },
  'parameters added without a change of others': {
    in: textkit,
    write: {
      'textkit/wrap.py': wrapProduct.replace('for part in name.split()', 'for part in name.replace("-", " ").split()'),
      'tests/test_wrap.py': wrapTest.replace('from textkit', 'import pytest\n\nfrom textkit').concat(`

@pytest.mark.parametrize(("name", "letters"), [("jean-luc picard", "JLP"), ("anna-lena", "AL"), ("", "")])
def test_initials_of_double_names(name, letters):
    assert initials(name) == letters
`),
    },
    shows: ['proven_by_new_tests'],
  },
  'a new module with a new test file': {
    in: textkit,
    write: {
      'textkit/plural.py': `IRREGULAR = {"mouse": "mice", "child": "children"}


def plural(word, count=2):
    if count == 1:
        return word
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch")) else "s")
`,
      'tests/test_plural.py': `from textkit.plural import plural


def test_regular_words():
    assert plural("cat") == "cats"
    assert plural("box") == "boxes"
    assert plural("berry") == "berries"
    assert plural("day") == "days"


def test_irregular_words():
    assert plural("mouse") == "mice"


def test_one_of_them():
    assert plural("child", 1) == "child"
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a package inside the repository that the product now uses': {
    in: textkit,
    write: {
      'vendor_ansi/__init__.py': 'from .colors import paint\n\n__all__ = ["paint"]\n',
      'vendor_ansi/colors.py': `CODES = {"red": 31, "green": 32}


def paint(text, color):
    return f"\\x1b[{CODES[color]}m{text}\\x1b[0m"
`,
      'textkit/mark.py': `from vendor_ansi import paint


def mark(text, word, color="red"):
    return text.replace(word, paint(word, color))
`,
      'tests/test_mark.py': `from textkit.mark import mark


def test_marks_each_word():
    assert mark("no news, no worries", "no") == "\\x1b[31mno\\x1b[0m news, \\x1b[31mno\\x1b[0m worries"
    assert mark("fine", "fine", color="green") == "\\x1b[32mfine\\x1b[0m"


def test_leaves_other_text():
    assert mark("all is well", "bad") == "all is well"
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a behaviour that changes with its test': {
    in: textkit,
    write: {
      'textkit/wrap.py': wrapProduct.replace('"".join(part[0].upper()', '" ".join(part[0].upper() + "."'),
      'tests/test_wrap.py': wrapTest.replace('"AL"', '"A. L."').replace('"GBH"', '"G. B. H."'),
    },
    shows: ['rewritten'],
  },
  'a test that the story asks to change': {
    in: textkit,
    write: {
      'textkit/roman.py': romanProduct.replace('raise ValueError(f"out of range: {number}")', 'return ""'),
      'tests/test_roman.py': romanTest.replace(
        '    with pytest.raises(ValueError, match="out of range"):\n        to_roman(number)\n',
        '    assert to_roman(number) == ""\n',
      ),
    },
    names: ['textkit/roman.py', 'tests/test_roman.py'],
    shows: ['proven_by_new_tests', 'rewritten'],
  },
  'a function renamed in product and tests': {
    in: textkit,
    write: {
      'textkit/wrap.py': wrapProduct.replaceAll('def wrap(', 'def break_lines('),
      'tests/test_wrap.py': wrapTest
        .replaceAll(/\bwrap\(/g, 'break_lines(')
        .replace('initials, wrap', 'break_lines, initials'),
    },
    shows: ['rewritten'],
  },
  'a module moved into a package of its own': {
    in: textkit,
    delete: ['textkit/roman.py'],
    write: {
      'textkit/numbers/__init__.py': '',
      'textkit/numbers/roman.py': romanProduct,
      'tests/test_roman.py': romanTest.replace('textkit.roman', 'textkit.numbers.roman'),
    },
    shows: ['held'],
  },
  'tests moved to another folder': {
    in: textkit,
    run: 'mkdir -p tests/unit && git mv tests/test_roman.py tests/test_wrap.py tests/unit/',
    shows: ['held', 'rewritten'],
  },
  'a feature deleted with its tests': {
    in: textkit,
    delete: ['textkit/roman.py', 'tests/test_roman.py'],
    shows: ['rewritten', 'held'],
  },
  'a refactoring': {
    in: textkit,
    write: {
      'textkit/roman.py': romanProduct.replace(
        / {4}text = ""[\s\S]*$/,
        `    letters = []
    for value, part in PARTS:
        count, number = divmod(number, value)
        letters.append(part * count)
    return "".join(letters)
`,
      ),
    },
    shows: ['held'],
  },
  'documents only': {
    in: textkit,
    write: {
      'README.md':
        '# textkit\n\nSmall functions for text.\n\n- `wrap` breaks text into lines\n- `to_roman` knows 1 to 39\n',
      'docs/roman.md': '# Roman numerals\n\nNumbers above 39 are refused.\n',
      'textkit/wrap.py': wrapProduct.replace(
        'def initials(name):\n',
        'def initials(name):\n    """Return the first letter of each name."""\n',
      ),
    },
    shows: ['held'],
  },
  'tests formatted and nothing else': {
    in: textkit,
    write: {
      'tests/test_wrap.py': wrapTest.replaceAll('"', "'"),
      'tests/test_roman.py': romanTest.replace(
        /\[\n {8}\(1[\s\S]*?\n {4}\],/,
        '[(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (38, "XXXVIII")],',
      ),
    },
    shows: ['held', 'rewritten'],
  },
  'a fixture added together with tests': {
    in: ledger,
    write: {
      'src/ledger.py': `${ledgerProduct}
    def move(self, source, target, cents):
        if self.balance(source) < cents:
            raise ValueError(f"{source} has only {self.balance(source)}")
        self.book(source, -cents)
        self.book(target, cents)
`,
      'tests/conftest.py': `${ledgerSetup}

@pytest.fixture
def savings(ledger):
    ledger.book("savings", 5000)
    return ledger
`,
      'tests/test_move.py': `import pytest


def test_moves_money(savings):
    savings.move("savings", "rent", 2000)
    assert savings.balance("savings") == 3000
    assert savings.balance("rent") == -83000


def test_refuses_what_is_not_there(savings):
    with pytest.raises(ValueError, match="savings has only 5000"):
        savings.move("savings", "rent", 5001)
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a marker added to pytest.ini with a test that has it': {
    in: ledger,
    write: {
      'pytest.ini': ledger.files['pytest.ini']!.replace(
        'takes long\n',
        'takes long\n    rounding: about halves of cents\n',
      ),
      'src/ledger.py': `${ledgerProduct}
    def interest(self, account, percent):
        return round(self.balance(account) * percent / 100)
`,
      'tests/test_interest.py': `import pytest


@pytest.mark.rounding
def test_interest_is_rounded(ledger):
    assert ledger.interest("salary", 1.5) == 3150
    assert ledger.interest("rent", 0.001) == -1
    assert ledger.interest("books", 10) == 0
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a golden file updated together with the output': {
    in: ledger,
    write: {
      'src/ledger.py': ledgerProduct.replace(
        '{name}: {self.balance(name) / 100:.2f}',
        '{name:<10}{self.balance(name) / 100:>10.2f}',
      ),
      'tests/golden/report.txt': 'rent         -850.00\nsalary       2100.00\n',
    },
    shows: ['rewritten'],
  },
  'tests that listen on a port': {
    in: weather,
    write: {
      'weather.py': weatherProduct.replace(
        '        if town in READINGS:',
        `        if town == "":
            self.answer(200, {"towns": sorted(READINGS)})
        elif town in READINGS:`,
      ),
      'test_weather.py': weatherTest.replace(
        '    def test_unknown_town',
        `    def test_all_towns(self):
        self.assertEqual(self.get("/"), {"towns": ["bonn", "kiel"]})

    def test_unknown_town`,
      ),
    },
    shows: ['proven_by_new_tests'],
  },
  'a program fixed whose tests start it': {
    in: withFiles(planner, { 'tests/test_main.py': mainTest }),
    write: {
      'planner/__main__.py': planner.files['planner/__main__.py']!.replace(
        'rest.split(",")',
        '[name.strip() for name in rest.split(",") if name.strip()]',
      ),
    },
    shows: ['proven'],
  },
  'an error raised with tests of exceptions': {
    in: planner,
    write: {
      'planner/order.py': planProduct.replace(
        '        active.add(task)\n',
        '        if task in active:\n            raise CycleError(f"{task} needs itself")\n        active.add(task)\n',
      ),
      'tests/test_cycles.py': `import unittest

from planner.order import CycleError, order


class CycleTest(unittest.TestCase):
    def test_cycles_are_errors(self):
        with self.assertRaises(CycleError):
            order({"hen": ["egg"], "egg": ["hen"]})

    def test_error_names_the_task(self):
        self.assertRaisesRegex(CycleError, "^loop needs itself$", order, {"loop": ["loop"]})

    def test_diamond_is_no_cycle(self):
        self.assertTrue(order({"top": ["left", "right"], "left": ["end"], "right": ["end"]}))
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'tests that use a cache in the home folder': {
    in: rates,
    write: {
      'rates.py': `${fetchProduct}

def forget(currency):
    """Drop the cached rate. Returns whether there was one."""
    file = cache_folder() / f"{currency}.json"
    known = file.exists()
    file.unlink(missing_ok=True)
    return known
`,
      'test_rates.py': `${fetchTest.replace('cache_folder, rate', 'cache_folder, forget, rate')}

def test_forgets(currency):
    rate(currency, lambda name: 2.0)
    assert forget(currency) is True
    assert forget(currency) is False
    assert rate(currency, lambda name: 3.0) == 3.0
`,
    },
    shows: ['proven_by_new_tests'],
  },
  'a bug fixed under tests of time and random numbers': {
    in: lottery,
    write: { 'lottery.py': shuffleProduct.replace('.choices(list(names), k=count)', '.sample(list(names), count)') },
    shows: ['proven'],
  },
  'a unit added with an example in the docstring': {
    in: units,
    write: {
      'units.py': unitsProduct
        .replace('1609.344\n"""', '1609.344\n>>> to_metres(2, "yard")\n1.8288\n"""')
        .replace('"mile": 1609.344}', '"mile": 1609.344, "yard": 0.9144}'),
    },
    shows: ['proven_by_new_tests', 'held'],
  },
  'a bug fixed under a test with lines of windows and letters outside ascii': {
    in: people,
    write: { 'people.py': tableProduct },
    shows: ['proven'],
  },
}
