import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { PawlError } from '../../contract/exit.ts'
import { ScriptFile } from '../../contract/script.ts'

class ScriptError extends PawlError {
  override name = 'ScriptError'
}

/** Reads a script. Throws a ScriptError that names the file and every invalid key. */
export function readScript(path: string): ScriptFile {
  try {
    return ScriptFile.parse(parse(readFileSync(path, 'utf8')) ?? {})
  } catch (cause) {
    const problems = cause instanceof z.ZodError ? cause.issues.flatMap(formatIssue) : [(cause as Error).message]
    throw new ScriptError(30, problems.map((problem) => `${path}: ${problem}`).join('\n'), undefined, 'invalid_script')
  }
}

function formatIssue(issue: z.core.$ZodIssue): string[] {
  const at = (path: readonly PropertyKey[]) => path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => `${at([...issue.path, key])}: unknown key`)
  return [`${at(issue.path)}: ${issue.message}`]
}
