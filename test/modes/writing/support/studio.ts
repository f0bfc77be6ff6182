import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { cleanups } from '../../../support/cleanups.ts'
import type { ScriptStep } from './novel.ts'

const bin = join(import.meta.dirname, '..', '..', '..', '..', 'bin', 'pawl')

type Files = Readonly<Record<string, string>>

/** A git repository with these files, committed, as a folder of projects; and a scripted model. */
export function newStudio(files: Files = {}, steps: readonly ScriptStep[] = []) {
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-studio-'))
  cleanups.push(() => fs.rmSync(root, { recursive: true, force: true }))
  const studio = join(root, 'studio')
  const write = (path: string, text: string): void => {
    fs.mkdirSync(join(studio, path, '..'), { recursive: true })
    fs.writeFileSync(join(studio, path), text)
  }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: studio, encoding: 'utf8' }).trim()
  write('README.md', 'Our documents.\n')
  for (const [path, text] of Object.entries(files)) write(path, text)
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '.')
  git('commit', '-qm', 'Import')
  const script = join(root, 'script.yml')
  const record = join(root, 'calls.ndjson')
  fs.writeFileSync(script, stringify({ model: steps, record }))
  const env = {
    PATH: process.env.PATH!,
    HOME: root,
    TZ: 'UTC',
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
  }

  /** Runs the program. `lines` are its input, without a terminal. */
  async function pawl(words: readonly string[], lines: readonly string[] = []) {
    const child = spawn(bin, words, { cwd: studio, env, stdio: ['pipe', 'pipe', 'pipe'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (data: string) => (text += data))
    child.stderr.setEncoding('utf8').on('data', (data: string) => (text += data))
    child.stdin.on('error', () => {})
    child.stdin.end(lines.map((line) => `${line}\n`).join(''))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, text }
  }
  /** Types these lines at the REPL and returns what it printed. */
  const type = async (...lines: (string | readonly string[])[]): Promise<string> =>
    (await pawl(['write'], [`/model scripted:${script}`, ...lines.flat()])).text
  const prompts = (): readonly { readonly system: string; readonly prompt: string }[] =>
    fs
      .readFileSync(record, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { system: string; prompt: string })
  const read = (path: string): string => fs.readFileSync(join(studio, path), 'utf8')
  const subjects = (): string[] => git('log', '--format=%s').split('\n')
  return { studio, env, model: `scripted:${script}`, git, write, read, pawl, type, prompts, subjects }
}
