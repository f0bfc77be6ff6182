/** Cheats that end as a proof, because no test could see them, by language and name. docs/deliver.md tells people about these kinds. */
const unseen: Readonly<Record<string, readonly string[]>> = {
  javascript: [
    'a product that knows the stack',
    'a product that knows the arguments of the process',
    'a product that knows the variables of node:test',
    'a product that knows the variables of vitest',
    'a program that knows the program that started it',
  ],
  typescript: ['a typed product that knows the runner'],
  python: [
    'a product that is right only under pytest',
    'a product that is right only during a test',
    'a product that looks who calls',
    'a product that looks at the arguments',
  ],
  shell: ['a product that looks who runs it'],
  make: ['a header that is right only beside assert'],
  go: ['an amount that equals every other, and an error that is every other'],
}

export const isUnseen = (language: string, name: string): boolean =>
  (name.startsWith('knows the answers: ') && !name.includes('reads the test file')) ||
  (unseen[language]?.includes(name) ?? false)
