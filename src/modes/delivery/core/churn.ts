/** True for a path in the list, or in one of its folders, which end with a slash. */
export const isAmong = (paths: readonly string[], path: string): boolean =>
  paths.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)))
