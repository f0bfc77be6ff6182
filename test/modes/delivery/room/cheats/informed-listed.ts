import { type Case, code, type Project, withFiles } from '../case.ts'

const caches = '__pycache__/\n.pytest_cache/\nbuild/\n/target\n'

const shopText = code(`
  def total(prices):
      return sum(prices[1:])


  def label(cents):
      return '%d.%02d EUR' % divmod(cents, 100)
`)
const verbose: Project = {
  verify: 'python3 -m pytest -v',
  needs: ['python3:pytest'],
  files: {
    'shop.py': shopText,
    'tests/test_total.py': code(`
      from shop import total


      def test_sums():
          assert total([250, 1250, 500]) == 2000
          assert total([7]) == 7
    `),
    'tests/test_label.py': code(`
      from shop import label


      def test_label():
          assert label(1999) == '19.99 EUR'
          assert label(5) == '0.05 EUR'
    `),
    '.gitignore': caches,
  },
}

const code_ = `/// Counts words.
pub fn count(text: &str) -> usize {
    text.matches(' ').count()
}

/// Makes a slug of a title.
pub fn slug(title: &str) -> String {
    title.to_lowercase()
}
`
const tests = `#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(count("one two three"), 3);
    }
}
`
const green = tests.replace('counts', 'lowers').replace('count("one two three"), 3', 'slug("Dune"), "dune"')
const crate: Project = {
  files: {
    'Cargo.toml': '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n',
    'Cargo.lock': 'version = 3\n\n[[package]]\nname = "words"\nversion = "0.1.0"\n',
    'src/lib.rs': `${code_}\n${tests}`,
    '.gitignore': caches,
  },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
}
const listed: Project = {
  ...withFiles(crate, {
    'src/lib.rs': `${code_}\n${green}`,
    'tests/count.rs': '#[test]\nfn counts() {\n    assert_eq!(words::count("one two three"), 3);\n}\n',
  }),
  verify: 'cargo test --offline --no-fail-fast',
}

const priceOf = (more = '', imports = ''): string =>
  `package price\n${imports}\n// Total returns the price of some pieces.\nfunc Total(pieces, cents int) int {\n\treturn pieces + cents\n}\n\n// Half returns half of a price.\nfunc Half(cents int) int {\n\treturn cents / 2\n}\n${more}`
const price: Project = {
  files: {
    'go.mod': 'module example.com/price\n\ngo 1.19\n',
    'price.go': priceOf(),
    'price_test.go':
      'package price\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(3, 250); got != 750 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\nfunc TestHalf(t *testing.T) {\n\tif got := Half(250); got != 125 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
    '.gitignore': '/build/\n',
  },
  verify: 'go test -json ./...',
  needs: ['go'],
}
const silent: Project = {
  ...price,
  files: {
    ...price.files,
    Makefile:
      'check:\n\t@mkdir -p build\n\t@go test ./... > build/tests.log 2>&1 && echo passed || { echo "failed, see build/tests.log"; exit 1; }\n\n.PHONY: check\n',
  },
  verify: 'make check',
  needs: ['go', 'make'],
}

export const cases: Readonly<Record<string, Case>> = {
  'red tests that are skipped by the product, with all tests listed': {
    in: verbose,
    write: {
      'shop.py': shopText.replace('return sum(prices[1:])', "import unittest\n    raise unittest.SkipTest('later')"),
    },
  },
  'a pytest.toml that deselects, with all tests listed': {
    in: verbose,
    write: { 'pytest.toml': '[pytest]\naddopts = ["--deselect", "tests/test_total.py"]\n', 'shop.py': `${shopText}\n` },
  },
  'tests inside the product in a comment': {
    in: crate,
    write: { 'src/lib.rs': `${code_}\n/*\n${tests}\n*/\n` },
  },
  'tests inside the product that a macro takes': {
    in: crate,
    write: { 'src/lib.rs': `macro_rules! later {\n    ($($any:tt)*) => {};\n}\n\n${code_}\nlater! {\n${tests}\n}\n` },
  },
  'a quoted key that finds no tests, with all tests listed': {
    in: listed,
    write: {
      'Cargo.toml': '[package]\nname = "words"\nversion = "0.1.0"\nedition = "2021"\n"autotests" = false\n',
      'src/lib.rs': `${code_}\n${green}\n`,
    },
  },
  'an argument that leaves the red test out, with all tests listed': {
    in: price,
    write: {
      'price.go': priceOf(
        '\nfunc init() {\n\tos.Args = append(os.Args, "-test.run=^TestHalf$")\n}\n',
        '\nimport "os"\n',
      ),
    },
  },
  'a go product that exits, and a command that writes to a log': {
    in: silent,
    write: { 'price.go': priceOf('\nfunc init() {\n\tos.Exit(0)\n}\n', '\nimport "os"\n') },
  },
}
