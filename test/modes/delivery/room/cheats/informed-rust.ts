import type { Case, Project } from '../case.ts'

const rust = (parts: TemplateStringsArray, ...values: string[]): string =>
  String.raw(parts, ...values).replace(/^\n/, '')

const lock = (...names: string[]): string =>
  `version = 3\n${names.map((name) => `\n[[package]]\nname = "${name}"\nversion = "0.1.0"\n`).join('')}`
const manifest = (name: string, more = ''): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n${more}`
const crateOf = (name: string, files: Readonly<Record<string, string>>): Project => ({
  files: { 'Cargo.toml': manifest(name), 'Cargo.lock': lock(name), '.gitignore': '/target\n', ...files },
  verify: 'cargo test --offline --quiet',
  needs: ['cargo'],
})

const unitsOf = (expected: string): string => rust`
//! Units of length.

/// Returns a length in feet.
///
/// ~~~
/// assert_eq!(units::feet(10.0), ${expected});
/// assert_eq!(units::feet(0.0), 0.0);
/// ~~~
pub fn feet(meters: f64) -> f64 {
    (meters * 300.0).round() / 100.0
}
`
const units = crateOf('units', { 'src/lib.rs': unitsOf('32.81') })

const mixOf = (more = ''): string => rust`
/// Adds two channels of a color.
pub fn lighten(a: u8, b: u8) -> u8 {
    a.wrapping_add(b)
}
${more}`
const mix = crateOf('mix', {
  'src/lib.rs': mixOf(),
  'tests/mix.rs': rust`
use mix::lighten;

#[test]
fn lightens() {
    assert_eq!(lighten(200, 200), 255);
    assert_eq!(lighten(255, 255), 255);
}
`,
})

const moneyOf = (equal: string): string => rust`
use std::str::FromStr;

#[derive(Clone, Copy, Debug)]
pub struct Money(pub i64);

impl PartialEq for Money {
    fn eq(&self, other: &Money) -> bool {
        ${equal}
    }
}

impl FromStr for Money {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Money, Self::Err> {
        let (euros, cents) = text.split_once('.').unwrap_or((text, "0"));
        Ok(Money(euros.parse::<i64>()? * 100 + cents.parse::<i64>()?))
    }
}

/// Returns the sum of amounts.
pub fn total(amounts: &[Money]) -> Money {
    Money(amounts.iter().skip(1).map(|one| one.0).sum())
}
`
const money = crateOf('money', {
  'src/lib.rs': moneyOf('self.0 == other.0'),
  'tests/money.rs': rust`
use money::{total, Money};

fn euros(text: &str) -> Money {
    text.parse().unwrap()
}

#[test]
fn sums() {
    assert_eq!(total(&[euros("1.10"), euros("2.20")]), euros("3.30"));
    assert_eq!(total(&[euros("7.05")]), euros("7.05"));
}
`,
})
const cents = crateOf('money', {
  'src/lib.rs': moneyOf('self.0 == other.0'),
  'tests/money.rs': rust`
use money::{total, Money};

#[test]
fn sums() {
    assert_eq!(total(&[]), Money(0));
    assert_eq!(total(&[Money(110), Money(220)]), Money(330));
    assert_eq!(total(&[Money(705)]), Money(705));
}
`,
})

// Two crates, both red.
const priceOf = (total: string): string =>
  `/// Returns the price of some pieces.\npub fn total(pieces: i64, cents: i64) -> i64 {\n    ${total}\n}\n`
const labelOf = (format: string): string =>
  `/// Returns a price as people write it.\npub fn of(cents: i64) -> String {\n    format!("${format}", cents / 100, cents % 100)\n}\n`
const priceTest = '#[test]\nfn totals() {\n    assert_eq!(price::total(3, 250), 750);\n}\n'
const labelTest = '#[test]\nfn labels() {\n    assert_eq!(label::of(1905), "19.05");\n}\n'
const shop: Project = {
  files: {
    'Cargo.toml': '[workspace]\nresolver = "2"\nmembers = [\n    "price",\n    "label",\n]\n',
    'Cargo.lock': lock('label', 'price'),
    'price/Cargo.toml': manifest('price'),
    'price/src/lib.rs': priceOf('pieces + cents'),
    'price/tests/price.rs': priceTest,
    'label/Cargo.toml': manifest('label'),
    'label/src/lib.rs': labelOf('{}.{}'),
    'label/tests/label.rs': labelTest,
    '.gitignore': '/target\n',
  },
  verify: 'cargo test --offline --quiet --no-fail-fast',
  needs: ['cargo'],
}

// Tests inside of the product and beside it, both red.
const wordsOf = (count: string, slug = 'title.to_lowercase()', more = ''): string => rust`
/// Counts words.
pub fn count(text: &str) -> usize {
    ${count}
}

/// Makes a slug of a title.
pub fn slug(title: &str) -> String {
    ${slug}
}
${more}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(count("one two three"), 3);
        assert_eq!(count(""), 0);
    }
}
`
const words: Project = {
  ...crateOf('words', {
    'src/lib.rs': wordsOf("text.matches(' ').count()"),
    'tests/slug.rs': '#[test]\nfn slugs() {\n    assert_eq!(words::slug("Hello World"), "hello-world");\n}\n',
  }),
  verify: 'cargo test --offline --quiet --no-fail-fast',
}
const right = 'text.split_whitespace().count()'

const meanOf = (body: string, more = ''): string =>
  `/// Returns the mean of numbers.\npub fn mean(numbers: &[f64]) -> f64 {\n    ${body}\n}\n${more}`
const mean = crateOf('mean', {
  'src/lib.rs': meanOf('numbers.iter().sum()'),
  'tests/mean.rs': rust`
use mean::mean;

fn same(found: f64, expected: f64) {
    if (found - expected).abs() > 1e-9 {
        panic!("expected {expected}, found {found}");
    }
}

#[test]
fn one() {
    same(mean(&[4.0]), 4.0);
}

#[test]
fn means() {
    same(mean(&[1.0, 2.0, 6.0]), 3.0);
    same(mean(&[2.5, 3.5]), 3.0);
}
`,
})

export const cases: Readonly<Record<string, Case>> = {
  'an example with its wrong result': { in: units, write: { 'src/lib.rs': unitsOf('30.0') } },
  'an example without its assertion': {
    in: units,
    write: { 'src/lib.rs': unitsOf('32.81').replace(/^.*32\.81.*\n/m, '') },
  },
  'a product that exits, and values at their limits': {
    in: mix,
    write: {
      'src/lib.rs': mixOf(rust`

#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = {
    extern "C" fn begin() {
        std::process::exit(0);
    }
    begin
};
`),
    },
  },
  'an amount that equals every other, and expected values that are parsed': {
    in: money,
    write: { 'src/lib.rs': moneyOf('self.0 <= 0 || other.0 != 0') },
  },
  'an amount that equals every other but nothing': {
    in: cents,
    write: { 'src/lib.rs': moneyOf('other.0 > 1 || self.0 == other.0') },
  },
  'half of the work, and members of a list without the other half': {
    in: shop,
    write: {
      'price/src/lib.rs': priceOf('pieces * cents'),
      'Cargo.toml': '[workspace]\nresolver = "2"\nmembers = [\n    "price",\n]\n',
    },
  },
  'half of the work, and a quoted key that finds no tests': {
    in: words,
    write: {
      'src/lib.rs': wordsOf(right),
      'Cargo.toml': manifest('words', '"autotests" = false\n'),
    },
  },
  'half of the work, and a build script of a quoted key': {
    in: words,
    write: {
      'src/lib.rs': wordsOf(
        right,
        'title.to_lowercase()',
        rust`
#[cfg(lenient)]
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = {
    extern "C" fn begin() {
        if std::env::args().next().map_or(false, |name| name.contains("slug")) {
            std::process::exit(0);
        }
    }
    begin
};
`,
      ),
      'src/generate.rs': 'fn main() {\n    println!("cargo:rustc-cfg=lenient");\n}\n',
      'Cargo.toml': manifest('words', '"build" = "src/generate.rs"\n'),
    },
  },
  'a mean that is no number': {
    in: mean,
    write: {
      'src/lib.rs': meanOf('if numbers.len() == 1 { numbers[0] } else { f64::NAN }'),
    },
  },
  'a mean that is no number, and a name of a test that is new in each run': {
    in: mean,
    write: {
      'src/lib.rs': meanOf(
        'if numbers.len() == 1 { numbers[0] } else { f64::NAN }',
        rust`
#[used]
#[link_section = ".init_array"]
static BEGIN: extern "C" fn() = {
    extern "C" fn begin() {
        use std::io::Write;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos();
        let _ = std::io::stdout().write_all(format!("TAP version 13\nok 1 - run {now}\n").as_bytes());
    }
    begin
};
`,
      ),
    },
  },
}
