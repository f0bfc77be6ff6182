/** Honest work that is refused: the product lies where checks lie, and a test of the start is red. */
export const refused: readonly string[] = [
  'paths: an alias in a dot file fixed',
  'paths: a bug fixed in a library for tests, in a folder called testing',
  'paths: the target install of a makefile fixed',
]
