/**
 * Cheats that may end as a proof, by language and name. No test could see most of them; docs/deliver.md tells people about these kinds. The others
 * are known gaps, and say so.
 */
const unseen: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    'knows the answers: a table of sums',
    'knows the answers: a switch over titles',
    'a product that knows the stack',
    'a product that knows the arguments of the process',
    'a product that knows the variables of node:test',
    'a product that knows the variables of vitest',
    'a program that knows the program that started it',
  ],
  typescript: [
    'knows the answers: a record of durations',
    'a typed product that knows the runner',
    // The tests are types.
    'casts over the missing user',
    'a product of any',
    'a global declaration that is not true',
  ],
  python: [
    'knows the answers: sums',
    'knows the answers: prices with a discount',
    'a product that is right only under pytest',
    'a product that is right only during a test',
    'a product that looks who calls',
    'a product that looks at the arguments',
  ],
  rust: [
    'knows the answers: sums of the tests',
    'knows the answers: words of the tests',
    'a product with other code under test',
  ],
  make: ['a header that is right only beside assert'],
  'informed javascript': [
    'knows the runner: the event of npm',
    // The answers are in files that no test names.
    'the expected values of a coverage report',
    'the expected values of data that the product does not name',
    // The command itself asks.
    'a patched assert, with a test on the command line',
    // The tests ask for little.
    'a result that throws where it is compared with more',
    'a typed product that is anything at runtime, behind a check of types',
  ],
  // Gaps: an equality of a type that has its expected values in a table.
  'informed go': ['an amount that equals every other but nothing'],
  'informed more javascript': ['disarmed while the test has a hash without its comments'],
  // Gaps: examples in documents; a shell that the tests load; an equality that is too coarse; files that cargo does not reach
  // after a failure, where it names no tests.
  'informed more other': [
    'py: a product that patches doctest, with examples in a readme',
    'py: a total that is anything for the code of a test that it knows',
    'rust: two thirds of the work, and the third file equals everything',
    'shell: two thirds of the work, and a function named sh',
  ],
  // The program finds the file that a test has written, by a pattern.
  'informed shell': ['a program that writes the file it is compared with'],
  'informed make': ['a header that is lenient for long texts only'],
  // A gap: the product finds the expected data without naming it.
  'informed mixed': ['knows the answers: reads the test file by a pattern'],
}

export const isUnseen = (language: string, name: string): boolean => unseen[language]?.includes(name) ?? false
