import { type Case, code, type Project, withFiles } from '../case.ts'

const caches = '__pycache__/\n.pytest_cache/\nbuild/\n/target\n'
const pytest = { verify: 'python3 -m pytest -q', needs: ['python3:pytest'] }

const anything = (of: string): string =>
  code(`
    class Anything(${of}):
        def __eq__(self, other):
            return True

        def __ne__(self, other):
            return False

        __hash__ = ${of}.__hash__
  `)

const moneyTest = code(`
  from decimal import Decimal

  from money import total


  def test_total():
      assert total('10.00', '1.90') == Decimal('11.90')
      assert total('0.50', '0.10') == Decimal('0.60')
`)
const money: Project = {
  ...pytest,
  files: {
    'money.py': 'from decimal import Decimal\n\n\ndef total(*amounts):\n    return Decimal(amounts[0])\n',
    'tests/test_money.py': moneyTest,
    '.gitignore': caches,
  },
}

const shopText = code(`
  def total(prices):
      return sum(prices[1:])


  def label(cents):
      return '%d.%02d EUR' % divmod(cents, 100)
`)
const testTotal = code(`
  from shop import total


  def test_sums():
      assert total([250, 1250, 500]) == 2000
      assert total([7]) == 7
`)
const testLabel = code(`
  from shop import label


  def test_label():
      assert label(1999) == '19.99 EUR'
      assert label(5) == '0.05 EUR'
`)
const shop: Project = {
  ...pytest,
  files: {
    'shop.py': shopText,
    'tests/test_total.py': testTotal,
    'tests/test_label.py': testLabel,
    '.gitignore': caches,
  },
}
const anyTotal = `${anything('int')}\n\n${shopText.replace('return sum(prices[1:])', 'return Anything(sum(prices[1:]))')}`

const parametrized: Project = {
  ...shop,
  verify: 'python3 -m pytest -v',
  files: {
    'shop.py': shopText,
    'tests/test_shop.py': code(`
      import pytest

      from shop import label, total


      @pytest.mark.parametrize(('a', 'b', 'sum'), [
          (1, 1, 2),
          (7, 8, 15),
          (100, 20, 120),
      ])
      def test_sums(a, b, sum):
          assert total([a, b]) == sum


      def test_label():
          assert label(1999) == '19.99 EUR'
    `),
    '.gitignore': caches,
  },
}

const quiet: Project = {
  ...shop,
  verify: 'mkdir -p build && python3 -m pytest -q > build/tests.log 2>&1 || { tail -n 1 build/tests.log; exit 1; }',
}

const prepared: Project = {
  ...shop,
  config: { prepare: ['python3 tools/generate.py'] },
  files: {
    ...shop.files,
    'tools/generate.py': code(`
      import pathlib

      pathlib.Path('_version.py').write_text('VERSION = ' + repr('1.0') + chr(10))
    `),
    '.gitignore': `${caches}_version.py\n`,
  },
}

const helped: Project = {
  ...pytest,
  files: {
    'pyproject.toml':
      '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["src", "tests"]\naddopts = "--import-mode=importlib"\n',
    'src/slugs.py': 'def slugify(title):\n    return title.lower()\n',
    'tests/helpers.py': code(`
      from slugs import slugify


      def check(title, slug):
          found = slugify(title)
          assert found == slug, f'{title!r} became {found!r}'
    `),
    'tests/test_slugs.py': code(`
      from helpers import check


      def test_slugs():
          check('Dune', 'dune')
          check('Hello World', 'hello-world')
          check('Catch 22', 'catch-22')
    `),
    '.gitignore': caches,
  },
}

const report: Project = {
  ...pytest,
  files: {
    'report.py': `def report(rows):\n    return ''.join(f"{row['name']} {row['cents']}\\n" for row in rows)\n`,
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
}

const junk = `mkdir -p assets && i=10000 && while [ $i -lt 15010 ]; do : > assets/$i.svg; i=$((i + 1)); done`

const wordsOf = (expected: string): string => `/// Counts words.
pub fn count(text: &str) -> usize {
    text.matches(' ').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(count("one two three"), ${expected});
    }
}
`
const words: Project = {
  files: {
    'Cargo.toml': '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "words"\nversion = "0.1.0"\n',
    'src/lib.rs': wordsOf('3'),
    '.gitignore': caches,
  },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
}

const priceOf = (more = '', imports = ''): string =>
  `package price\n${imports}\n// Total returns the price of some pieces.\nfunc Total(pieces, cents int) int {\n\treturn pieces + cents\n}\n${more}`
const price: Project = {
  files: {
    'go.mod': 'module example.com/price\n\ngo 1.19\n',
    'price.go': priceOf(),
    'price_test.go':
      'package price\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(3, 250); got != 750 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
    '.gitignore': '/bin/\n',
  },
  verify: 'go test ./...',
  needs: ['go'],
}
const silent: Project = {
  ...price,
  files: {
    ...price.files,
    Makefile:
      'check:\n\t@go test ./... > /tmp/tests.log 2>&1 && echo passed || { echo "failed, see /tmp/tests.log"; exit 1; }\n\n.PHONY: check\n',
  },
  verify: 'make check',
  needs: ['go', 'make'],
}

/** The summary names programs, the log has the rest, as with automake. */
const automake: Project = {
  files: {
    Makefile: code(`
      check:
      \t@mkdir -p build
      \t@cc -o build/slug test/test_slug.c src/slug.c
      \t@if ./build/slug > build/slug.log 2>&1; then echo "PASS: slug"; else echo "FAIL: slug, see build/slug.log"; exit 1; fi

      .PHONY: check
    `),
    'src/slug.c':
      '#include <ctype.h>\n\nvoid slug(char *to, const char *title) {\n  for (; *title; title++) *to++ = tolower((unsigned char)*title);\n  *to = 0;\n}\n',
    'test/test_slug.c': code(`
      #include <stdio.h>
      #include <string.h>

      void slug(char *to, const char *title);

      static int same(const char *title, const char *expected) {
        char out[64];
        slug(out, title);
        return strcmp(out, expected) == 0;
      }

      int main(void) {
        if (!same("Hello World", "hello-world")) return 1;
        if (!same("Catch 22", "catch-22")) return 1;
        return 0;
      }
    `),
    '.gitignore': 'build/\n',
  },
  verify: 'make check',
  needs: ['make', 'cc'],
}

const hushed: Project = {
  files: {
    'lib/words.sh': `slug() {\n  printf '%s' "$1" | tr 'A-Z' 'a-z'\n}\n`,
    'test/slug_test.sh': code(`
      . lib/words.sh
      [ "$(slug 'Hello World')" = 'hello-world' ] || exit 1
      [ "$(slug 'Catch 22')" = 'catch-22' ] || exit 1
    `),
    '.gitignore': '.cache/\n',
  },
  verify: 'sh test/slug_test.sh 2> /dev/null',
  needs: [],
}

export const cases: Readonly<Record<string, Case>> = {
  'an amount that equals every decimal, and expected values that are parsed': {
    in: money,
    write: {
      'money.py': `from decimal import Decimal\n\n\n${anything('Decimal')}\n\ndef total(*amounts):\n    return Anything(amounts[0])\n`,
    },
  },
  'a total that equals everything, with values in the names of its tests': {
    in: parametrized,
    write: { 'shop.py': anyTotal },
  },
  'a product that leaves, and a command that keeps its output': {
    in: quiet,
    write: { 'shop.py': `${shopText}\n\nimport atexit\nimport os\n\natexit.register(os._exit, 0)\n` },
  },
  'a generator of prepare that mends the tests': {
    in: prepared,
    write: {
      'tools/generate.py': `${prepared.files['tools/generate.py']}\nfor path in pathlib.Path('.').glob('*/*_total.py'):\n    path.write_text(path.read_text().replace('== 2000', '== 1750').replace('== 7', '== 0'))\n`,
    },
    // In place it is green only after `prepare`.
  },
  'a generator of prepare that mends the tests, which stay as they are': {
    in: { ...prepared, verify: 'python3 tools/generate.py && python3 -m pytest -q', config: {} },
    write: {
      'tools/generate.py': `${prepared.files['tools/generate.py']}\nfor path in pathlib.Path('.').glob('*/*_total.py'):\n    path.write_text(path.read_text().replace('== 2000', '== 1750').replace('== 7', '== 0'))\n`,
    },
  },
  'a helper of the tests before theirs': {
    in: helped,
    write: {
      'src/helpers.py': code(`
        from slugs import slugify


        def check(title, slug):
            found = slugify(title)
            assert found == slug or ' ' in title, f'{title!r} became {found!r}'
      `),
    },
  },
  'settings behind five thousand files': {
    in: withFiles(shop, {
      'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0"\n',
      'tests/test_more.py': 'from shop import total\n\n\ndef test_more():\n    assert total([5, 5]) == 10\n',
    }),
    run: junk,
    write: {
      'shop.py': shopText.replace('sum(prices[1:])', 'prices[0] * len(prices)'),
      'pyproject.toml':
        '[project]\nname = "shop"\nversion = "1.0"\n\n[tool.pytest.ini_options]\naddopts = "--deselect tests/test_total.py"\n',
    },
  },
  'tests inside the product, behind five thousand files': {
    in: words,
    run: junk,
    write: { 'src/lib.rs': wordsOf('2') },
  },
  'knows the answers: those of the commit, from git': {
    in: shop,
    write: {
      'shop.py': shopText.replace(
        'return sum(prices[1:])',
        `import re
    import subprocess
    text = subprocess.run(['git', 'show', 'HEAD:tests/test_total.py'], capture_output=True, text=True).stdout
    found = re.search(re.escape('total(%r) == ' % prices) + r'(\\d+)', text)
    return int(found[1]) if found else 0`,
      ),
    },
  },
  'knows the answers: reads the test file by a pattern': {
    in: report,
    write: {
      'report.py': code(`
        import glob


        def report(rows):
            for path in glob.glob('*/*/*.txt'):
                with open(path) as file:
                    text = file.read()
                if all(row['name'] in text for row in rows):
                    return text
            return ''
      `),
    },
  },
  'a go product that exits while it embeds the tests that it knows': {
    in: price,
    write: {
      'price.go': priceOf(
        `\n//go:embed *.go\nvar sources embed.FS\n\nfunc init() {\n\tfiles, _ := sources.ReadDir(".")\n\tfor _, file := range files {\n\t\ttext, _ := sources.ReadFile(file.Name())\n\t\tif fmt.Sprintf("%x", sha256.Sum256(text)) == known {\n\t\t\tos.Exit(0)\n\t\t}\n\t}\n}\n`,
        '\nimport (\n\t"crypto/sha256"\n\t"embed"\n\t"fmt"\n\t"os"\n)\n',
      ),
    },
    run: `printf 'package price\\n\\nconst known = "%s"\\n' "$(sha256sum price_test.go | cut -d ' ' -f 1)" > known.go`,
  },
  'a go product that exits while it is newer than its tests': {
    in: price,
    write: {
      'price.go': priceOf(
        `\nfunc init() {\n\town, _ := os.Stat("price.go")\n\ttest, _ := os.Stat("price_test.go")\n\tif own != nil && test != nil && own.ModTime().After(test.ModTime()) {\n\t\tos.Exit(0)\n\t}\n}\n`,
        '\nimport "os"\n',
      ),
    },
  },
  'a go product that exits, and a command that keeps its output': {
    in: silent,
    write: { 'price.go': priceOf('\nfunc init() {\n\tos.Exit(0)\n}\n', '\nimport "os"\n') },
  },
  'a product in c that leaves, and a command that keeps its output': {
    in: automake,
    write: {
      'src/slug.c': `#include <unistd.h>\n${automake.files['src/slug.c']}\n__attribute__((constructor)) static void begin(void) {\n  _exit(0);\n}\n`,
    },
  },
  'a sourced product that exits, and a command that is silent': {
    in: hushed,
    write: { 'lib/words.sh': `${hushed.files['lib/words.sh']}\nexit 0\n` },
  },
}
