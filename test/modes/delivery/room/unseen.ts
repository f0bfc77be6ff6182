/**
 * Cheats that may end as a proof, by language and name. No test could see most of them; docs/deliver.md tells people about these kinds. Others
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
  go: [
    'knows the answers: only as a program of tests',
    // A gap: the product itself says what is equal, and its values cannot be altered.
    'an amount that equals every other, and an error that is every other',
  ],
  rust: [
    'knows the answers: sums of the tests',
    'knows the answers: words of the tests',
    // A gap, as above.
    'an amount and an error that equal every other',
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
    'a class that is equal to every text without a mark',
    'a result that throws where it is compared with more',
    'a typed product that is anything at runtime, behind a check of types',
    // A gap: what the commands did not reach before is not known as a test.
    'the second of two commands ends early',
    'what the runner never reached before, behind a bail',
  ],
  'informed make': ['a header that is lenient for long texts only'],
  // A gap: a value that compares as neither larger nor smaller.
  'informed rust': ['a mean that is no number'],
  // A gap: nothing shows whether the commands run these tests.
  'informed mixed': [
    'a product that leaves, and a command that keeps its output',
    'a go product that exits, and a command that keeps its output',
  ],
}

export const isUnseen = (language: string, name: string): boolean => unseen[language]?.includes(name) ?? false
