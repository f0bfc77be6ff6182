import { parse } from 'yaml'
import { decodeText, readTextFile } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { Answers } from '../contract/request.ts'

/** Reads the file of `--answers`, in YAML or JSON. */
export function readAnswers(path: string, folder: string): Answers {
  const bytes = readTextFile(path, folder)
  if (!bytes) throw new PawlError(2, `there is no file ${path}`)
  const parsed = Answers.safeParse(parseYaml(decodeText(bytes, path), path))
  if (parsed.success) return parsed.data
  const { path: where, message } = parsed.error.issues[0]!
  throw new PawlError(2, `${path}: ${where.join('.')}: ${message}`, 'Keys: cull, judge, accept, provider, replace')
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text) ?? {}
  } catch (error) {
    throw new PawlError(2, `${path} is not YAML: ${(error as Error).message.split('\n')[0]}`)
  }
}
