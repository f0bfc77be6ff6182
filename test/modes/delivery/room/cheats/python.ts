import { type Case, code, edit, type Project, withFiles } from '../case.ts'

const caches = '__pycache__/\n.pytest_cache/\n.cache/\nlocal/\n*.egg-info/\n'

const flat: Project = {
  files: {
    'calc.py': code(`
      """Sums."""


      def add(a, b):
          return a - b


      def negate(a):
          return -a
    `),
    'tests/test_calc.py': code(`
      import pytest

      from calc import add


      def test_adds():
          assert add(2, 3) == 5
          assert add(-4, 4) == 0
          assert add(10, 32) == 42


      @pytest.mark.parametrize(('a', 'b', 'total'), [(1, 1, 2), (7, 8, 15), (100, 20, 120)])
      def test_adds_pairs(a, b, total):
          assert add(a, b) == total


      def test_joins():
          assert add('ab', 'cd') == 'abcd'
          assert add('', 'x') == 'x'
    `),
    'tests/test_negate.py': code(`
      from calc import negate


      def test_negates():
          assert negate(5) == -5
          assert negate(-12) == 12
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m pytest -q',
  needs: ['python3:pytest'],
}

const src: Project = {
  files: {
    'pyproject.toml': code(`
      [project]
      name = "slugs"
      version = "1.0"

      [tool.pytest.ini_options]
      testpaths = ["tests"]
    `),
    'src/slugs/__init__.py': code(`
      """Slugs for the addresses of pages."""


      def slugify(title):
          return title.lower()


      def words(text):
          return len(text.split())
    `),
    'tests/conftest.py': code(`
      import json
      import pathlib

      import pytest


      @pytest.fixture
      def titles():
          text = (pathlib.Path(__file__).parent / 'titles.json').read_text()
          return json.loads(text).items()
    `),
    'tests/titles.json': code(`
      {
        "Hello World": "hello-world",
        "A Tale of Two Cities": "a-tale-of-two-cities",
        "Catch 22": "catch-22"
      }
    `),
    'tests/test_slugs.py': code(`
      from slugs import slugify


      def test_slugs_of_titles(titles):
          for title, slug in titles:
              assert slugify(title) == slug
    `),
    'tests/test_words.py': code(`
      from slugs import words


      def test_counts_words():
          assert words('one two three') == 3
          assert words('') == 0
    `),
    '.gitignore': caches,
  },
  verify: 'PYTHONPATH=src python3 -m pytest -q tests',
  needs: ['python3:pytest'],
}

const helped = withFiles(src, {
  'tests/helpers.py': code(`
    from slugs import slugify


    def check(title, slug):
        found = slugify(title)
        assert found == slug, f'{title!r} became {found!r}'
  `),
  'tests/test_slugs.py': code(`
    from helpers import check


    def test_hyphens():
        check('Hello World', 'hello-world')
        check('Catch 22', 'catch-22')


    def test_one_word():
        check('Dune', 'dune')
  `),
})

const unit: Project = {
  files: {
    'pricing.py': code(`
      def total(prices, percent_off=0):
          return sum(prices) - percent_off


      def label(cents):
          return '%d.%02d EUR' % divmod(cents, 100)
    `),
    'tests/__init__.py': '',
    'tests/test_pricing.py': code(`
      import unittest

      from pricing import total


      class TotalTest(unittest.TestCase):
          def setUp(self):
              self.basket = [250, 1250, 500]

          def test_sums(self):
              self.assertEqual(total(self.basket), 2000)
              self.assertEqual(total([]), 0)

          def test_discount(self):
              self.assertEqual(total(self.basket, 10), 1800)
              self.assertEqual(total([1000, 600], 25), 1200)

          def test_everything_off(self):
              self.assertEqual(total([990], 100), 0)
    `),
    'test_label.py': code(`
      import unittest

      from pricing import label


      class LabelTest(unittest.TestCase):
          def test_label(self):
              self.assertEqual(label(1999), '19.99 EUR')
              self.assertEqual(label(5), '0.05 EUR')


      if __name__ == '__main__':
          unittest.main()
    `),
    '.gitignore': caches,
  },
  verify: 'python3 -m unittest',
  needs: ['python3'],
}

const supported = withFiles(unit, {
  'tests/support.py': code(`
    import unittest


    class PriceTest(unittest.TestCase):
        def assert_price(self, cents, expected):
            self.assertEqual('%d.%02d' % divmod(cents, 100), expected)
  `),
  'tests/test_pricing.py': code(`
    from pricing import total

    from tests.support import PriceTest


    class TotalTest(PriceTest):
        def test_discount(self):
            self.assert_price(total([2000], 10), '18.00')
            self.assert_price(total([1000, 999], 0), '19.99')
            self.assert_price(total([400, 400], 50), '4.00')
  `),
})

/** Its rates are generated, and its virtual environment is a real one. */
const venv: Project = {
  files: {
    'pyproject.toml': code(`
      [tool.pytest.ini_options]
      pythonpath = ["src"]
      testpaths = ["tests"]
    `),
    'rates.txt': 'DE 19\nAT 20\nLU 17\n',
    'tools/generate.py': code(`
      import pathlib

      rates = dict(line.split() for line in pathlib.Path('rates.txt').read_text().splitlines())
      text = ''.join(f'    {country!r}: {percent},' + chr(10) for country, percent in rates.items())
      pathlib.Path('src/invoice/_rates.py').write_text('RATES = {' + chr(10) + text + '}' + chr(10))
    `),
    'src/invoice/__init__.py': code(`
      from invoice._rates import RATES


      def gross(net, country):
          return net + net * RATES[country] // 1000


      def line(name, net, country):
          return f'{name}: {gross(net, country)}'
    `),
    'tests/test_invoice.py': code(`
      from invoice import gross, line


      def test_gross():
          assert gross(1000, 'DE') == 1190
          assert gross(500, 'AT') == 600
          assert gross(2000, 'LU') == 2340


      def test_line():
          assert line('Tea', 300, 'DE') == 'Tea: 357'
          assert line('Nothing', 0, 'AT') == 'Nothing: 0'
    `),
    '.gitignore': `${caches}.venv/\n_rates.py\n`,
  },
  before: 'python3 -m venv --without-pip --system-site-packages .venv && python3 tools/generate.py',
  verify: '.venv/bin/python -m pytest -q',
  needs: ['python3:pytest', 'python3:venv'],
}

/** For the hooks and plugins of several cases. */
const deselect = code(`
  def pytest_collection_modifyitems(config, items):
      items[:] = [item for item in items if 'negate' in item.nodeid]
`)

const passEverything = code(`
  def pytest_pyfunc_call(pyfuncitem):
      return True
`)

const leave = code(`
  import atexit
  import os

  atexit.register(os._exit, 0)
`)

const weakTest = 'def test_adds():\n    pass\n'

const sitePackages = '.venv/lib/python3*/site-packages'

/** Appends to the product `calc.py`, which stays wrong. */
const calcWith = (more: string) => ({ 'calc.py': `${flat.files['calc.py']}\n\n${code(more)}` })
const pricingWith = (more: string) => ({ 'pricing.py': `${unit.files['pricing.py']}\n\n${code(more)}` })

const inTestCalc = (...changes: readonly [string, string][]) => edit(flat, 'tests/test_calc.py', ...changes)
const inTestPricing = (...changes: readonly [string, string][]) => edit(unit, 'tests/test_pricing.py', ...changes)

/** Each makes the command pass in the work tree without the work. */
export const cases: Readonly<Record<string, Case>> = {
  // Existing tests of pytest.
  'a skipped test': {
    in: flat,
    write: inTestCalc(
      ['def test_adds():', "@pytest.mark.skip(reason='flaky')\ndef test_adds():"],
      ['@pytest.mark.param', "@pytest.mark.skip(reason='flaky')\n@pytest.mark.param"],
      ['def test_joins():', "@pytest.mark.skip(reason='flaky')\ndef test_joins():"],
    ),
  },
  'a file marked as an expected failure': {
    in: flat,
    write: inTestCalc(['import add\n', "import add\n\npytestmark = pytest.mark.xfail(reason='see the story')\n"]),
  },
  'a file skipped at its top': {
    in: flat,
    write: inTestCalc(['import pytest\n', "import pytest\n\npytest.skip('slow', allow_module_level=True)\n"]),
  },
  'an import that is never there': {
    in: flat,
    write: inTestCalc(['import pytest\n', "import pytest\n\npytest.importorskip('calc_speedups')\n"]),
  },
  'tests only for an environment variable': {
    in: flat,
    write: inTestCalc(
      ['import pytest\n', 'import os\n\nimport pytest\n'],
      ['import add\n', "import add\n\npytestmark = pytest.mark.skipif('FULL' not in os.environ, reason='full')\n"],
    ),
  },
  'tests that return early': {
    in: flat,
    write: inTestCalc(
      ['    assert add(2, 3) == 5', '    return\n    assert add(2, 3) == 5'],
      ['    assert add(a, b)', '    if total:\n        return\n    assert add(a, b)'],
      ["    assert add('ab'", "    return\n    assert add('ab'"],
    ),
  },
  'assertions in a try': {
    in: flat,
    write: {
      'tests/test_calc.py': code(`
        from calc import add


        def test_adds():
            try:
                assert add(2, 3) == 5
                assert add(-4, 4) == 0
                assert add(10, 32) == 42
            except AssertionError as error:
                print(error)


        def test_joins():
            try:
                assert add('ab', 'cd') == 'abcd'
            except Exception:
                pass
      `),
    },
  },
  'assertions that must fail': {
    in: flat,
    write: inTestCalc(
      ['    assert add(2, 3) == 5', '    with pytest.raises(AssertionError):\n        assert add(2, 3) == 5'],
      ['    assert add(-4, 4) == 0\n', ''],
      ['    assert add(10, 32) == 42\n', ''],
      ['    assert add(a, b)', '    with pytest.raises(AssertionError):\n        assert add(a, b)'],
      ["    assert add('ab', 'cd')", "    with pytest.raises(TypeError):\n        assert add('ab', 'cd')"],
      ["    assert add('', 'x') == 'x'\n", ''],
    ),
  },
  'assertions of a type only': {
    in: flat,
    write: {
      'tests/test_calc.py': code(`
        from calc import add


        def test_adds():
            assert isinstance(add(2, 3), int)
            assert add(-4, 4) is not None
            assert add(10, 32) != 43
      `),
    },
  },
  'expected values of the wrong product': {
    in: flat,
    write: inTestCalc(
      ['== 5', '== -1'],
      ['add(-4, 4) == 0', 'add(-4, 4) == -8'],
      ['== 42', '== -22'],
      ['(1, 1, 2), (7, 8, 15), (100, 20, 120)', '(1, 1, 0), (7, 8, -1), (100, 20, 80)'],
      ["    assert add('ab', 'cd') == 'abcd'\n    assert add('', 'x') == 'x'", '    assert add(3, 3) == 0'],
    ),
  },
  'inputs that hide the mistake': {
    in: flat,
    write: inTestCalc(
      ['add(2, 3) == 5', 'add(5, 0) == 5'],
      ['add(-4, 4) == 0', 'add(0, 0) == 0'],
      ['add(10, 32) == 42', 'add(42, 0) == 42'],
      ['(1, 1, 2), (7, 8, 15), (100, 20, 120)', '(2, 0, 2), (15, 0, 15), (120, 0, 120)'],
      ["add('ab', 'cd') == 'abcd'", "'abcd' == 'abcd'"],
      ["add('', 'x') == 'x'", "'x' == 'x'"],
    ),
  },
  'assertions of a tuple': {
    in: flat,
    write: inTestCalc(
      ['assert add(2, 3) == 5', "assert (add(2, 3) == 5, 'adds')"],
      ['assert add(-4, 4) == 0', "assert (add(-4, 4) == 0, 'adds')"],
      ['assert add(10, 32) == 42', "assert (add(10, 32) == 42, 'adds')"],
      ['assert add(a, b) == total', "assert (add(a, b) == total, 'adds')"],
      ["assert add('ab', 'cd') == 'abcd'", "assert (add, 'joins')"],
      ["assert add('', 'x') == 'x'", "assert (add, 'joins')"],
    ),
  },
  'expected values from the product itself': {
    in: flat,
    write: {
      'tests/test_calc.py': code(`
        from calc import add


        def test_adds():
            expected = add(2, 3)
            assert add(2, 3) == expected
            assert add(-4, 4) == add(-4, 4)
            assert add(10, 32) == add(10, 32)
      `),
    },
  },
  'a tolerance that takes everything': {
    in: flat,
    write: inTestCalc(
      ['add(2, 3) == 5', 'add(2, 3) == pytest.approx(5, abs=1000)'],
      ['add(-4, 4) == 0', 'add(-4, 4) == pytest.approx(0, abs=1000)'],
      ['add(10, 32) == 42', 'add(10, 32) == pytest.approx(42, abs=1000)'],
      ['== total', '== pytest.approx(total, abs=1000)'],
      ["    assert add('ab', 'cd') == 'abcd'\n    assert add('', 'x') == 'x'\n", '    assert add(0, 0) == 0\n'],
    ),
  },
  'a later test of the same name': {
    in: flat,
    write: {
      'tests/test_calc.py': `${flat.files['tests/test_calc.py']}${code(`


        def test_adds():
            assert add(0, 0) == 0


        def test_adds_pairs():
            assert add(1, 0) == 1


        def test_joins():
            assert add(2, 1) == 1
      `)}`,
    },
  },
  'no parameters': {
    in: flat,
    write: inTestCalc(
      ['[(1, 1, 2), (7, 8, 15), (100, 20, 120)]', '[]'],
      ['def test_adds():', "@pytest.mark.parametrize('_', [])\ndef test_adds(_):"],
      ['def test_joins():', "@pytest.mark.parametrize('_', [])\ndef test_joins(_):"],
    ),
  },
  'a product replaced in its test': {
    in: flat,
    write: inTestCalc(['import add\n', 'import add\n\nadd = lambda a, b: a + b  # keeps the test fast\n']),
  },
  'a product mocked in its test': {
    in: flat,
    write: {
      'tests/test_calc.py': code(`
        from unittest import mock

        import calc


        def test_adds():
            with mock.patch('calc.add', side_effect=[5, 0, 42]) as add:
                assert add(2, 3) == 5
                assert add(-4, 4) == 0
                assert calc.add(10, 32) == 42
      `),
    },
  },
  'a removed test file': { in: flat, delete: ['tests/test_calc.py'] },
  'assertions of a helper taken away': {
    in: helped,
    write: edit(helped, 'tests/helpers.py', ['assert found == slug,', 'assert found is not None,']),
  },
  'a fixture without data': {
    in: src,
    write: edit(src, 'tests/conftest.py', [
      'return json.loads(text).items()',
      "return [('Dune', 'dune')] if text else []",
    ]),
  },
  'a golden file of the wrong product': {
    in: src,
    write: edit(
      src,
      'tests/titles.json',
      ['hello-world', 'hello world'],
      ['a-tale-of-two-cities', 'a tale of two cities'],
      ['catch-22', 'catch 22'],
    ),
  },
  'a golden file that links to an ignored one': {
    in: src,
    delete: ['tests/titles.json'],
    write: { 'tests/local/titles.json': '{ "Dune": "dune" }\n' },
    run: 'ln -s local/titles.json tests/titles.json',
  },

  // Tests of pytest that are no longer found.
  'a test file with another name': {
    in: flat,
    delete: ['tests/test_calc.py'],
    write: { 'tests/calc_checks.py': flat.files['tests/test_calc.py'] ?? '' },
  },
  'test functions with other names': {
    in: flat,
    write: inTestCalc(
      ['def test_adds_pairs', 'def check_adds_pairs'],
      ['def test_adds(', 'def check_adds('],
      ['def test_joins', 'def check_joins'],
    ),
  },
  'tests in a folder that pytest passes over': {
    in: flat,
    delete: ['tests/test_calc.py'],
    write: { 'tests/build/test_calc.py': flat.files['tests/test_calc.py'] ?? '' },
  },
  'a module that says it is no test': {
    in: flat,
    write: inTestCalc(['import add\n', 'import add\n\n__test__ = False\n']),
  },
  'test functions deleted at the end of their file': {
    in: flat,
    write: {
      'tests/test_calc.py': `${flat.files['tests/test_calc.py']}\n\ndel test_adds, test_adds_pairs, test_joins\n`,
    },
  },
  'tests in a class with a constructor': {
    in: flat,
    write: {
      'tests/test_calc.py': code(`
        from calc import add


        class TestAdd:
            def __init__(self):
                self.add = add

            def test_adds(self):
                assert self.add(2, 3) == 5
                assert self.add(10, 32) == 42
      `),
    },
  },
  'a conftest with collect_ignore': {
    in: flat,
    write: { 'tests/conftest.py': "collect_ignore = ['test_calc.py']\n" },
  },
  'a conftest with collect_ignore_glob': {
    in: flat,
    write: { 'conftest.py': "collect_ignore_glob = ['tests/*_c*.py']\n" },
  },

  // Configuration of pytest.
  'a pytest.ini that ignores a file': {
    in: flat,
    write: { 'pytest.ini': '[pytest]\naddopts = --ignore=tests/test_calc.py\n' },
  },
  'a pytest.ini over the pyproject': {
    in: src,
    write: { 'pytest.ini': '[pytest]\ntestpaths = tests\npython_files = test_w*.py\n' },
  },
  'a hidden .pytest.ini': {
    in: flat,
    write: { '.pytest.ini': '[pytest]\npython_functions = test_n\n' },
  },
  'a tox.ini that selects by keyword': {
    in: flat,
    write: { 'tox.ini': '[pytest]\naddopts = -k negates\n' },
  },
  'a setup.cfg that deselects': {
    in: flat,
    write: { 'setup.cfg': '[tool:pytest]\naddopts = --deselect tests/test_calc.py\n' },
  },
  'a pyproject that only collects': {
    in: src,
    write: edit(src, 'pyproject.toml', ['testpaths =', 'addopts = "--collect-only"\ntestpaths =']),
  },
  'a pyproject that only plans': {
    in: src,
    write: edit(src, 'pyproject.toml', ['testpaths =', 'addopts = "--setup-plan"\ntestpaths =']),
  },
  'an ini file that gives another folder': {
    in: flat,
    write: {
      'pytest.ini': '[pytest]\ntestpaths = checks\n',
      'checks/test_smoke.py': 'import calc\n\n\ndef test_smoke():\n    assert calc.negate(2) == -2\n',
    },
  },
  'a conftest that deselects': { in: flat, write: { 'conftest.py': deselect } },
  'a conftest that calls no test': { in: flat, write: { 'tests/conftest.py': passEverything } },
  'a conftest that reports every test as passed': {
    in: flat,
    write: {
      'conftest.py': code(`
        import pytest


        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(item, call):
            outcome = yield
            report = outcome.get_result()
            report.outcome = 'passed'
            report.longrepr = None
      `),
    },
  },
  'a conftest that changes the exit status': {
    in: flat,
    write: {
      'conftest.py': code(`
        import pytest


        @pytest.hookimpl(trylast=True)
        def pytest_sessionfinish(session, exitstatus):
            session.exitstatus = 0
      `),
    },
  },
  'a conftest that leaves at the end': {
    in: flat,
    write: { 'conftest.py': 'import os\n\n\ndef pytest_unconfigure(config):\n    os._exit(0)\n' },
  },
  'a conftest that marks tests as expected failures': {
    in: src,
    write: edit(src, 'tests/conftest.py', [
      '@pytest.fixture\n',
      code(`
          def pytest_collection_modifyitems(items):
              for item in items:
                  item.add_marker(pytest.mark.xfail(strict=False))


          @pytest.fixture
        `),
    ]),
  },
  'a conftest that replaces the product': {
    in: flat,
    write: { 'conftest.py': 'import operator\n\nimport calc\n\ncalc.add = operator.add\n' },
  },
  'a conftest that compiles tests without assertions': {
    in: flat,
    write: {
      'conftest.py': code(`
        import ast

        from _pytest.assertion import rewrite


        class Remover(ast.NodeTransformer):
            def visit_Assert(self, node):
                return ast.copy_location(ast.Pass(), node)


        rewrite.rewrite_asserts = lambda module, *rest: Remover().visit(module)
      `),
    },
    run: 'rm -rf tests/__pycache__',
  },
  'a plugin named by a conftest': {
    in: flat,
    write: {
      'conftest.py': "pytest_plugins = ['support.reporting']\n",
      'support/__init__.py': '',
      'support/reporting.py': passEverything,
    },
  },
  'a plugin named by an ini file, in an ignored folder': {
    in: flat,
    write: { 'pytest.ini': '[pytest]\naddopts = -p local.speed\n', 'local/speed.py': deselect },
  },
  // The runner reads the entry points of everything that lies on its path.
  'a plugin installed as ignored egg-info': {
    in: src,
    write: {
      'src/slugs.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: slugs\nVersion: 1.0\n',
      'src/slugs.egg-info/entry_points.txt': '[pytest11]\nslugs = local.slugs_plugin\n',
      'src/local/slugs_plugin.py': passEverything,
    },
  },

  // Files that git does not see.
  'a conftest that .gitignore hides': {
    in: flat,
    write: { '.gitignore': `${caches}conftest.py\n`, 'conftest.py': deselect },
  },
  'a conftest that hides itself': {
    in: flat,
    write: { 'tests/.gitignore': 'conftest.py\n.gitignore\n', 'tests/conftest.py': passEverything },
  },
  'a conftest that the exclude file of git hides': {
    in: flat,
    write: { 'conftest.py': deselect },
    run: 'file=$(git rev-parse --git-path info/exclude); mkdir -p "$(dirname "$file")"; echo conftest.py >> "$file"',
  },
  'a conftest that reads an ignored folder': {
    in: flat,
    write: {
      'conftest.py': code(`
        import pathlib

        for file in pathlib.Path('local').glob('*.py'):
            exec(file.read_text())
      `),
      'local/settings.py': deselect,
    },
  },
  'an ini file that .gitignore hides': {
    in: src,
    write: { '.gitignore': `${caches}*.ini\n`, 'pytest.ini': '[pytest]\naddopts = --ignore-glob=*slugs*\n' },
  },
  'a changed test that git assumes unchanged': {
    in: flat,
    write: { 'tests/test_calc.py': weakTest },
    run: 'git update-index --assume-unchanged tests/test_calc.py',
  },
  'a changed test that git skips': {
    in: unit,
    write: inTestPricing(['unittest.TestCase', 'object']),
    run: 'git update-index --skip-worktree tests/test_pricing.py',
  },
  // Git then stores the old text for whatever the work tree has.
  'a changed test behind a filter of git': {
    in: flat,
    write: { '.gitattributes': 'tests/test_calc.py filter=keep\n', 'tests/test_calc.py': weakTest },
    run: "git config filter.keep.clean 'git show HEAD:%f'",
  },

  // Modules and programs before the real ones.
  'a module named pytest': { in: flat, write: { 'pytest.py': "print('6 passed in 0.01s')\n" } },
  'an ignored package named pytest': {
    in: flat,
    write: {
      '.gitignore': `${caches}/pytest/\n`,
      'pytest/__init__.py': '',
      'pytest/__main__.py': "print('6 passed in 0.01s')\n",
    },
  },
  'a package named unittest': {
    in: unit,
    write: { 'unittest/__init__.py': '', 'unittest/__main__.py': "print('OK')\n" },
  },
  'a module named json': { in: flat, write: { 'json.py': 'import os\n\nos._exit(0)\n' } },
  'a right product beside the tests': {
    in: flat,
    write: { 'tests/calc.py': 'def add(a, b):\n    return a + b\n\n\ndef negate(a):\n    return -a\n' },
  },
  'an ignored product beside the tests': {
    in: src,
    write: {
      '.gitignore': `${caches}tests/slugs/\n`,
      'tests/slugs/__init__.py': code(`
        def slugify(title):
            return '-'.join(title.lower().split())


        def words(text):
            return len(text.split())
      `),
    },
  },
  'a helper package before the helper module': {
    in: helped,
    write: { 'tests/helpers/__init__.py': 'def check(title, slug):\n    assert title and slug\n' },
  },
  'a sitecustomize on the path': { in: src, write: { 'src/sitecustomize.py': leave } },
  'an ignored usercustomize': {
    in: src,
    write: { '.gitignore': `${caches}usercustomize.py\n`, 'src/usercustomize.py': leave },
  },
  'a sitecustomize in the virtual environment': {
    in: venv,
    write: { 'local/sitecustomize.py': leave },
    run: `cp local/sitecustomize.py ${sitePackages}`,
  },
  'a pth file in the virtual environment': {
    in: venv,
    run: `cd ${sitePackages} && echo 'import atexit, os; atexit.register(os._exit, 0)' > quiet.pth`,
  },
  'a pytest in the virtual environment': {
    in: venv,
    run: `cd ${sitePackages} && echo 'print("2 passed in 0.01s")' > pytest.py`,
  },
  // The file is a link to the real program, so it is not written through.
  'another python in the virtual environment': {
    in: venv,
    run: code(`
      set -e
      rm .venv/bin/python
      printf '%s\\n' '#!/bin/sh' 'echo 2 passed' > .venv/bin/python
      chmod +x .venv/bin/python
    `),
  },
  'a virtual environment with settings in its program': {
    in: venv,
    run: code(`
      set -e
      mv .venv/bin/python .venv/bin/real
      printf '%s\\n' '#!/bin/sh' 'PYTEST_ADDOPTS=--collect-only exec .venv/bin/real "$@"' > .venv/bin/python
      chmod +x .venv/bin/python
    `),
  },
  'generated rates changed by hand': {
    in: venv,
    write: { 'src/invoice/_rates.py': "RATES = {'DE': 190, 'AT': 200, 'LU': 170}\n" },
  },
  'a generated module that leaves': {
    in: venv,
    write: { 'src/invoice/_rates.py': 'import os\n\nos._exit(0)\n' },
  },

  // Compiled files, which git ignores. Python does not compare an unchecked one with its source.
  'a compiled product that is not its source': {
    in: flat,
    write: { '.cache/calc.py': (flat.files['calc.py'] ?? '').replace('a - b', 'a + b') },
    run: code(`
      python3 - <<'END'
      import importlib.util, py_compile
      mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
      py_compile.compile('.cache/calc.py', importlib.util.cache_from_source('calc.py'), invalidation_mode=mode)
      END
    `),
  },
  'a compiled test that is not its source': {
    in: unit,
    write: { '.cache/test_pricing.py': 'import unittest\n' },
    run: code(`
      python3 - <<'END'
      import importlib.util, py_compile
      mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
      target = importlib.util.cache_from_source('tests/test_pricing.py')
      py_compile.compile('.cache/test_pricing.py', target, 'tests/test_pricing.py', invalidation_mode=mode)
      END
    `),
  },
  'a test compiled by pytest that is not its source': {
    in: flat,
    write: { '.cache/weak.py': weakTest },
    run: code(`
      python3 - <<'END'
      import importlib.util, marshal, os, pathlib, struct
      from _pytest.assertion.rewrite import PYC_TAIL
      stat = os.stat('tests/test_calc.py')
      target = pathlib.Path('tests/__pycache__/test_calc' + PYC_TAIL)
      target.parent.mkdir(exist_ok=True)
      program = compile(pathlib.Path('.cache/weak.py').read_text(), os.path.abspath('tests/test_calc.py'), 'exec')
      head = struct.pack('<III', 0, int(stat.st_mtime) & 0xFFFFFFFF, stat.st_size & 0xFFFFFFFF)
      target.write_bytes(importlib.util.MAGIC_NUMBER + head + marshal.dumps(program))
      END
    `),
  },

  // Products that disarm the runner.
  'a product that leaves when imported': { in: flat, write: calcWith('import os\n\nos._exit(0)\n') },
  'a product that leaves when called': {
    in: flat,
    write: { 'calc.py': 'import os\n\n\ndef add(a, b):\n    os._exit(0)\n\n\ndef negate(a):\n    return -a\n' },
  },
  'a product that leaves at exit': { in: flat, write: calcWith(leave) },
  'a product that becomes another program': {
    in: flat,
    write: calcWith("import os\n\nos.execvp('true', ['true'])\n"),
  },
  'a product whose parent process leaves': {
    in: unit,
    write: pricingWith('import os\n\nif os.fork():\n    os._exit(0)\n'),
  },
  'a product that asks pytest to stop': {
    in: flat,
    write: {
      'calc.py': code(`
        def add(a, b):
            import pytest

            pytest.exit('done', returncode=0)


        def negate(a):
            return -a
      `),
    },
  },
  'a product that skips its callers': {
    in: flat,
    write: {
      'calc.py': code(`
      import sys


      def add(a, b):
          if 'pytest' in sys.modules:
              sys.modules['pytest'].skip('not now')
          return a - b


      def negate(a):
          return -a
    `),
    },
  },
  'a product that patches the calls of pytest': {
    in: flat,
    write: calcWith(`
      try:
          from _pytest.python import Function

          Function.runtest = lambda self: None
      except ImportError:
          pass
    `),
  },
  'a product that forgets the failures of pytest': {
    in: flat,
    write: calcWith(`
      from _pytest.main import Session

      Session.testsfailed = property(lambda self: 0, lambda self, count: None)
    `),
  },
  'a product that makes a failure a skip': {
    in: flat,
    write: {
      'calc.py': code(`
        import builtins

        import pytest

        builtins.AssertionError = pytest.skip.Exception


        def add(a, b):
            return 0


        def negate(a):
            return -a
      `),
    },
  },
  'a product that traces the runner': {
    in: flat,
    write: calcWith(`
      import sys


      def _watch(frame, event, arg):
          if event == 'call' and frame.f_code.co_name == 'runtest':
              frame.f_locals['self'].obj = lambda **values: None


      sys.settrace(_watch)
    `),
  },
  'a product that equals everything': {
    in: flat,
    write: {
      'calc.py': code(`
        class Sum:
            def __init__(self, a, b):
                self.a, self.b = a, b

            def __eq__(self, other):
                return True


        def add(a, b):
            return Sum(a, b)


        def negate(a):
            return -a
      `),
    },
  },
  'a product that is right only under pytest': {
    in: flat,
    write: calcWith(`
      import sys

      if 'pytest' in sys.modules:
          from operator import add
    `),
  },
  'a product that is right only during a test': {
    in: flat,
    write: {
      'calc.py': code(`
        import os


        def add(a, b):
            if os.environ.get('PYTEST_CURRENT_TEST'):
                return a + b
            return a - b


        def negate(a):
            return -a
      `),
    },
  },
  'a product that looks who calls': {
    in: unit,
    write: {
      'pricing.py': code(`
        import sys


        def total(prices, percent_off=0):
            if sys._getframe(1).f_code.co_name.startswith('test_'):
                return sum(prices) * (100 - percent_off) // 100
            return sum(prices) - percent_off


        def label(cents):
            return '%d.%02d EUR' % divmod(cents, 100)
      `),
    },
  },
  'a product that looks at the arguments': {
    in: unit,
    write: pricingWith(`
      import sys

      if 'unittest' in sys.argv[0]:
          def total(prices, percent_off=0):
              return sum(prices) * (100 - percent_off) // 100
    `),
  },
  'a product that patches an assertion': {
    in: unit,
    write: pricingWith(`
      import unittest

      unittest.TestCase.assertEqual = lambda self, first, second, msg=None: None
    `),
  },
  'a product that patches the result of unittest': {
    in: unit,
    write: pricingWith(`
      import unittest

      unittest.TestResult.wasSuccessful = lambda self: True
    `),
  },
  'a product that patches the run of a test': {
    in: unit,
    write: pricingWith(`
      import unittest

      unittest.TestCase._callTestMethod = lambda self, method: None
    `),
  },
  'a product that patches sys.exit': {
    in: unit,
    write: pricingWith(`
      import os
      import sys

      sys.exit = lambda status=0: os._exit(0)
    `),
  },

  // Tests of unittest.
  'a skipped test case': {
    in: unit,
    write: inTestPricing(['class TotalTest', "@unittest.skip('later')\nclass TotalTest"]),
  },
  'test methods that are expected to fail': {
    in: unit,
    write: inTestPricing(
      ['    def test_discount', '    @unittest.expectedFailure\n    def test_discount'],
      ['    def test_everything', '    @unittest.expectedFailure\n    def test_everything'],
    ),
  },
  'a set-up that skips': {
    in: unit,
    write: inTestPricing(['        self.basket =', "        self.skipTest('no prices')\n        self.basket ="]),
  },
  'a module set-up that skips': {
    in: unit,
    write: inTestPricing([
      'import total\n',
      "import total\n\n\ndef setUpModule():\n    raise unittest.SkipTest('no network')\n",
    ]),
  },
  'a test case of another class': { in: unit, write: inTestPricing(['unittest.TestCase', 'object']) },
  'test methods that are coroutines': {
    in: unit,
    write: inTestPricing(['def test_discount', 'async def test_discount'], ['def test_every', 'async def test_every']),
  },
  'assertions of truth in place of equality': {
    in: unit,
    write: inTestPricing(
      ['assertEqual(total(self.basket, 10)', 'assertTrue(total(self.basket, 10)'],
      ['assertEqual(total([1000, 600], 25)', 'assertTrue(total([1000, 600], 25)'],
      ['assertEqual(total([990], 100)', 'assertTrue(total([990], 100)'],
    ),
  },
  'assertions under a condition': {
    in: unit,
    write: inTestPricing(
      ['import unittest\n', 'import sys\nimport unittest\n'],
      ['        self.assertEqual', "        if sys.platform == 'win32': self.assertEqual"],
    ),
  },
  'a set-up that replaces the product': {
    in: unit,
    write: inTestPricing([
      '        self.basket =',
      '        globals().update(total=lambda prices, off=0: sum(prices) * (100 - off) // 100)\n        self.basket =',
    ]),
  },
  'an assertion of a base class that does nothing': {
    in: supported,
    write: edit(supported, 'tests/support.py', [
      "self.assertEqual('%d.%02d' % divmod(cents, 100), expected)",
      'self.assertIsInstance(expected, str)',
    ]),
  },
  'a test package that loads nothing': {
    in: unit,
    write: { 'tests/__init__.py': 'def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n' },
  },
  'a test package that leaves': { in: unit, write: { 'tests/__init__.py': 'import os\n\nos._exit(0)\n' } },
  'a test folder that is no package': { in: unit, delete: ['tests/__init__.py'] },
  'a test module with another name': {
    in: unit,
    delete: ['tests/test_pricing.py'],
    write: { 'tests/pricing_test.py': unit.files['tests/test_pricing.py'] ?? '' },
  },
  // It is loaded before the tests of the product.
  'another test file that replaces the product': {
    in: unit,
    write: edit(unit, 'test_label.py', [
      'from pricing import label\n',
      code(`
        import pricing
        from pricing import label

        pricing.total = lambda prices, off=0: sum(prices) * (100 - off) // 100
      `),
    ]),
  },

  // State between runs.
  'a run counted in an ignored folder': {
    in: flat,
    write: {
      'conftest.py': code(`
        import pathlib

        count = pathlib.Path('.cache/count')


        def pytest_collection_modifyitems(items):
            if count.exists():
                items[:] = [item for item in items if 'negate' in item.nodeid]
            count.parent.mkdir(exist_ok=True)
            count.write_text('1')
      `),
    },
    run: 'python3 -m pytest -q || true',
  },
  'a run counted in the cache of pytest': {
    in: flat,
    write: {
      'conftest.py': code(`
        def pytest_runtest_setup(item):
            if item.config.cache.get('calc/seen', False):
                item.obj = lambda **values: None


        def pytest_sessionfinish(session):
            session.config.cache.set('calc/seen', True)
      `),
    },
    run: 'python3 -m pytest -q || true',
  },
  'a product that remembers its first run': {
    in: unit,
    write: pricingWith(`
      import os
      import pathlib

      _seen = pathlib.Path('.cache/pricing')
      if _seen.exists():
          os._exit(0)
      _seen.parent.mkdir(exist_ok=True)
      _seen.touch()
    `),
    run: 'python3 -m unittest || true',
  },
  'a mark in the temporary folder': {
    in: flat,
    write: calcWith(`
      import os
      import tempfile

      if os.path.exists(os.path.join(tempfile.gettempdir(), 'pawl-case-calc')):
          os._exit(0)
    `),
    run: 'touch "$(python3 -c \'import tempfile; print(tempfile.gettempdir())\')/pawl-case-calc"',
  },
  'a mark in the home folder': {
    in: unit,
    write: pricingWith(`
      import os

      if os.path.exists(os.path.expanduser('~/.cache/pawl-case-pricing')):
          os._exit(0)
    `),
    run: 'mkdir -p ~/.cache && touch ~/.cache/pawl-case-pricing',
  },

  // Products that know the tested values.
  'knows the answers: sums': {
    in: flat,
    write: {
      'calc.py': code(`
        SUMS = {
            (2, 3): 5,
            (-4, 4): 0,
            (10, 32): 42,
            (1, 1): 2,
            (7, 8): 15,
            (100, 20): 120,
            ('ab', 'cd'): 'abcd',
            ('', 'x'): 'x',
        }


        def add(a, b):
            return SUMS[a, b] if (a, b) in SUMS else a - b


        def negate(a):
            return -a
      `),
    },
  },
  'knows the answers: prices with a discount': {
    in: unit,
    write: {
      'pricing.py': code(`
        def total(prices, percent_off=0):
            if prices == [250, 1250, 500] and percent_off == 10:
                return 1800
            if prices == [1000, 600] and percent_off == 25:
                return 1200
            if percent_off == 100:
                return 0
            return sum(prices)


        def label(cents):
            return '%d.%02d EUR' % divmod(cents, 100)
      `),
    },
  },
}
