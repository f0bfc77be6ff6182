/** What the tests of a file leave behind, removed after its last test. Files share a process, so a module cannot do this by itself. */
export const cleanups: (() => void | Promise<void>)[] = []
