import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

/** Where the program lies that a command's first word names, as the system would look for it. */
export function findProgram(program: string, cwd: string, path: string): string | undefined {
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : join(cwd, program)]
    : path.split(delimiter).map((folder) => resolve(cwd, folder, program))
  return places.find((place) => allows(place, constants.X_OK))
}

function allows(path: string, access: number): boolean {
  try {
    accessSync(path, access)
    return !statSync(path).isDirectory()
  } catch {
    return false
  }
}
