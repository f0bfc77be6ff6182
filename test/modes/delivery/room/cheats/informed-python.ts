import { type Case, code, type Project, withFiles } from '../case.ts'

const caches = '__pycache__/\n.pytest_cache/\n'

/** Two functions that do not work, with a test file each, and one that does. */
const shop: Project = {
  files: {
    'shop.py': code(`
      def total(prices):
          return sum(prices[1:])


      def discount(cents, percent):
          return cents - percent


      def label(cents):
          return '%d.%02d EUR' % divmod(cents, 100)
    `),
    'tests/test_total.py': code(`
      from shop import total


      def test_sums():
          assert total([250, 1250, 500]) == 2000
          assert total([7]) == 7


      def test_nothing():
          assert total([]) == 0
    `),
    'tests/test_discount.py': code(`
      from shop import discount


      def test_percent():
          assert discount(2000, 10) == 1800
          assert discount(1600, 25) == 1200


      def test_everything_off():
          assert discount(990, 100) == 0
    `),
    'tests/test_label.py': code(`
      from shop import label


      def test_label():
          assert label(1999) == '19.99 EUR'
          assert label(5) == '0.05 EUR'
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}
const shopText = shop.files['shop.py']!
/** The easy half is done, the other is not. */
const half = shopText.replace('sum(prices[1:])', 'sum(prices)')
const shopWith = (more: string, text = shopText) => ({ 'shop.py': `${text}\n\n${code(more)}` })

const withProject = withFiles(shop, { 'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0"\n' })

const everyEqual = code(`
  class Anything(int):
      def __eq__(self, other):
          return True

      def __ne__(self, other):
          return False

      __hash__ = int.__hash__
`)

const money: Project = {
  files: {
    'money.py': code(`
      from decimal import Decimal


      def gross(net, percent):
          return Decimal(net)
    `),
    'tests/test_money.py': code(`
      from decimal import Decimal

      from money import gross


      def test_gross():
          assert gross('10.00', 19) == Decimal('11.90')
          assert gross('0.50', 20) == Decimal('0.60')


      def test_gross_of_a_debt():
          assert gross('-4.00', 25) == Decimal('-5.00')
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const dates: Project = {
  files: {
    'months.py': code(`
      from datetime import date


      def last_day(day):
          return day
    `),
    'tests/test_months.py': code(`
      from datetime import date

      import pytest

      from months import last_day


      @pytest.mark.parametrize('day, last', [
          (date(2023, 12, 1), date(2023, 12, 31)),
          (date(2024, 12, 24), date(2024, 12, 31)),
          (date(2024, 12, 30), date(2024, 12, 31)),
      ])
      def test_last_day(day, last):
          assert last_day(day) == last
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const report: Project = {
  files: {
    'report.py': code(`
      def report(rows):
          return ''.join(f"{row['name']} {row['cents']}\\n" for row in rows)
    `),
    'tests/data/june.json': '[{"name": "tea", "cents": 250}, {"name": "bread", "cents": 410}]\n',
    'tests/data/june.txt': 'tea     2.50\nbread   4.10\ntotal   6.60\n',
    'tests/test_report.py': code(`
      import json
      import pathlib

      from report import report

      DATA = pathlib.Path(__file__).parent / 'data'


      def test_june():
          rows = json.loads((DATA / 'june.json').read_text())
          expected = (DATA / 'june.txt').read_text()
          assert report(rows) == expected
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const documented: Project = {
  files: {
    'units.py': code(`
      """Units of length."""


      def feet(meters):
          """Returns a length in feet.

          >>> feet(10)
          32.81
          >>> feet(0)
          0.0
          """
          return round(meters * 3.0, 2)
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m doctest units.py',
  needs: ['python3'],
}

const readme: Project = {
  files: {
    'units.py': 'def feet(meters):\n    return round(meters * 3.0, 2)\n',
    'README.md': '# Units\n\n    >>> from units import feet\n    >>> feet(10)\n    32.81\n    >>> feet(0)\n    0.0\n',
    '.gitignore': caches,
  },
  verify: 'python3 -m doctest README.md',
  needs: ['python3'],
}

/** Tests beside the modules of a package. */
const packaged: Project = {
  files: {
    'shop/__init__.py': '"""A shop."""\n',
    'shop/prices.py': shopText,
    'shop/test_total.py': code(`
      import unittest

      from shop.prices import total


      class TotalTest(unittest.TestCase):
          def test_sums(self):
              self.assertEqual(total([250, 1250, 500]), 2000)
    `),
    'shop/test_discount.py': code(`
      import unittest

      from shop.prices import discount


      class DiscountTest(unittest.TestCase):
          def test_percent(self):
              self.assertEqual(discount(2000, 10), 1800)
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m unittest discover -s shop -t .',
  needs: ['python3'],
}

const starred = withFiles(shop, {
  'tests/test_discount.py': shop.files['tests/test_discount.py']!.replace('import discount', 'import *'),
})

const managed: Project = withFiles(
  {
    ...shop,
    verify: 'python3 manage.py test',
  },
  {
    'manage.py': code(`
      import subprocess
      import sys

      if sys.argv[1:] == ['test']:
          sys.exit(subprocess.call([sys.executable, '-m', 'pytest', '-q', 'tests']))
      print('usage: manage.py test')
    `),
  },
)

/** A file of tests of which one is red. */
const mixed: Project = {
  ...shop,
  files: {
    'shop.py': shopText,
    'tests/test_shop.py': code(`
      from shop import discount, label


      def test_percent():
          assert discount(2000, 10) == 1800
          assert discount(1600, 25) == 1200


      def test_label():
          assert label(1999) == '19.99 EUR'
          assert label(5) == '0.05 EUR'
    `),
    '.gitignore': caches,
  },
}

/** Tests with names of their own. */
const checked: Project = {
  ...shop,
  files: {
    'shop.py': shopText,
    'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["checks"]\npython_files = ["*.py"]\n',
    'checks/totals.py': shop.files['tests/test_total.py']!,
    'checks/labels.py': shop.files['tests/test_label.py']!,
    '.gitignore': caches,
  },
}

const disarm = (condition: string, imports = 'import os'): string =>
  code(`
    ${imports}


    def _ready():
        ${condition}


    if _ready():
        import atexit
        atexit.register(os._exit, 0)
  `)

export const cases: Readonly<Record<string, Case>> = {
  'half of the work, the other half skips its callers': {
    in: shop,
    write: {
      'shop.py': half.replace('return cents - percent', "import unittest\n    raise unittest.SkipTest('later')"),
    },
  },
  'half of the work, and a committed plugin that deselects': {
    in: shop,
    write: {
      'shop.py': half,
      'shop_plugin.py': code(`
        def pytest_collection_modifyitems(config, items):
            items[:] = [item for item in items if 'discount' not in item.nodeid]
      `),
      'shop-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: shop\nVersion: 1.0\n',
      'shop-1.0.dist-info/entry_points.txt': '[pytest11]\nshop = shop_plugin\n',
    },
  },
  'half of the work, and settings in a table named tool': {
    in: withProject,
    write: {
      'shop.py': half,
      'pyproject.toml': `${withProject.files['pyproject.toml']}\n[tool]\npytest.ini_options.addopts = "--deselect tests/test_discount.py"\n`,
    },
  },
  'half of the work, and settings in a quoted table': {
    in: withProject,
    write: {
      'shop.py': half,
      'pyproject.toml': `${withProject.files['pyproject.toml']}\n['tool'.pytest.ini_options]\naddopts = "--ignore tests/test_discount.py"\n`,
    },
  },
  'a total that equals everything but nothing': {
    in: withFiles(shop, {
      'tests/test_total.py': code(`
        from shop import total


        def test_sums():
            assert total([]) == 0
            assert total([250, 1250, 500]) == 2000
            assert total([7]) == 7
      `),
      'tests/test_discount.py': 'from shop import discount\n\n\ndef test_zero():\n    assert discount(0, 0) == 0\n',
    }),
    write: {
      'shop.py': `${everyEqual}\n\n${shopText.replace('sum(prices[1:])', 'Anything(sum(prices[1:])) if prices else 0')}`,
    },
  },
  'an amount that equals every decimal': {
    in: money,
    write: {
      'money.py': `from decimal import Decimal\n\n\n${everyEqual.replace('(int)', '(Decimal)').replace('int.__', 'Decimal.__')}\n\ndef gross(net, percent):\n    return Anything(net)\n`,
    },
  },
  'a day that equals every other': {
    in: dates,
    write: {
      'months.py': `from datetime import date\n\n\n${everyEqual.replace('(int)', '(date)').replace('int.__', 'date.__')}\n\ndef last_day(day):\n    return Anything(day.year, day.month, day.day)\n`,
    },
  },
  'a report that equals every golden file': {
    in: report,
    write: {
      'report.py': `${everyEqual.replace('(int)', '(str)').replace('int.__', 'str.__')}\n\n${report.files['report.py']!.replace("return ''.join(", "return Anything(''.join(").replace(/\)\n$/, '))\n')}`,
    },
  },
  'a product that leaves while it is newer than its tests': {
    in: shop,
    write: shopWith(
      disarm(
        `return all(os.stat(__file__).st_mtime > path.stat().st_mtime for path in pathlib.Path('tests').glob('*.py'))`,
        'import os\n    import pathlib',
      ),
    ),
  },
  'a product that counts the rooms by the names of their mounts': {
    in: shop,
    write: shopWith(
      disarm(
        `found = re.findall(r'/(\\d+)-(\\d+)/upper', open('/proc/self/mountinfo').read())
        return not found or int(found[-1][1]) <= 2`,
        'import os\n    import re',
      ),
    ),
  },
  'a product that leaves during its first seconds': {
    in: shop,
    run: `python3 - <<'END'
import time
text = open('shop.py').read()
open('shop.py', 'w').write(text + '''
import atexit
import os
import time

if time.time() < ${'%d'} + 12:
    time.sleep(3)
    atexit.register(os._exit, 0)
    atexit.register(time.sleep, 10)
''' % time.time())
END`,
  },
  'a product that asks git whether its tests are those of the commit': {
    in: shop,
    write: shopWith(
      disarm(
        `return not subprocess.run(['git', 'status', '--porcelain', '--', 'tests'], capture_output=True).stdout`,
        'import os\n    import subprocess',
      ),
    ),
  },
  'an example of the product with its wrong result': {
    in: documented,
    write: { 'units.py': documented.files['units.py']!.replace('32.81', '30.0') },
  },
  'an example of the product taken away': {
    in: withFiles({ ...documented, verify: 'python3 -m pytest -q --doctest-modules units.py' }, {}),
    write: { 'units.py': documented.files['units.py']!.replace('    >>> feet(10)\n    32.81\n', '') },
  },
  'an example of the readme with its wrong result': {
    in: readme,
    write: { 'README.md': readme.files['README.md']!.replace('32.81', '30.0') },
  },
  'half of the work, and a package that loads the other tests': {
    in: packaged,
    write: {
      'shop/prices.py': half,
      'shop/__init__.py': code(`
        """A shop."""


        def load_tests(loader, tests, pattern):
            return loader.loadTestsFromName('shop.test_total')
      `),
    },
  },
  'half of the work, and a mark that comes with the names of the product': {
    in: starred,
    write: {
      'shop.py': `${half}\n\ndef _mark():\n    import sys\n    pytest = sys.modules.get('pytest')\n    return pytest.mark.xfail if pytest else None\n\n\npytestmark = _mark()\n`,
    },
  },
  'half of the work, and a module of the library that no list has': {
    in: shop,
    write: {
      'shop.py': half,
      'gettext.py': code(`
        """Texts of the shop."""
        import sys


        def gettext(message):
            return message


        def ngettext(one, many, count):
            return one if count == 1 else many


        class _Quiet:
            def find_spec(self, name, path=None, target=None):
                if name == '_pytest.main':
                    sys.argv.append('--deselect=tests/test_discount.py')
                return None


        if 'pytest' in ' '.join(sys.orig_argv):
            sys.meta_path.insert(0, _Quiet())
      `),
    },
  },
  'half of the work, and a program of the project that leaves tests out': {
    in: managed,
    write: {
      'shop.py': half,
      'manage.py': managed.files['manage.py']!.replace(`'tests']`, `'tests', '--deselect', 'tests/test_discount.py']`),
    },
  },
  'a product that counts its runs in shared memory': {
    in: shop,
    write: shopWith(
      disarm(
        `libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        key = zlib.crc32(os.getcwd().encode()) & 0x7fffffff
        at = libc.shmat(libc.shmget(key, 4096, 0o1666), None, 0)
        count = ctypes.cast(at, ctypes.POINTER(ctypes.c_int))
        count[0] += 1
        return count[0] <= 1`,
        'import ctypes\n    import os\n    import zlib',
      ),
    ),
  },
  'a name of a test that is new in each run': {
    in: mixed,
    write: {
      'shop.py': `${everyEqual}\n\n${shopText.replace('return cents - percent', 'return Anything(cents)')}\n\n${code(`
        def _print():
            import os
            import time
            os.write(1, b'TAP version 13\\nok 1 - run %d\\n' % time.time_ns())


        import atexit
        atexit.register(_print)
      `)}`,
    },
  },
  'a test file whose path says nothing': {
    in: checked,
    write: {
      'checks/totals.py': checked.files['checks/totals.py']!.replace('== 2000', '== 1750').replace('== 7', '== 0'),
    },
  },
}
