import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eventsAt, listAt, programAt, type RunFolder } from '../../support/runs.ts'
import { type Child, startPawl } from '../kill.ts'

/** Into a new file by the rules of seed 001; back into a file, after measuring the judge; or nowhere, since all that is written stays weak. */
export const ways = ['out', 'write', 'weak'] as const
export type Way = (typeof ways)[number]

/** One call as the server counted it. */
export type Served = {
  readonly number: number
  readonly role: string
  readonly sha256: string
  readonly notes: readonly string[]
}

export type Stage = Awaited<ReturnType<typeof newStage>>

const before = 'How we release.\n'
const bounds = ['--max-iterations', '24']
const fixture = (name: string): string => join(import.meta.dirname, '..', 'fixtures', name)

/** A workspace, a person's own ladder of three models, and a server for all of them that counts in a process of its own. */
export async function newStage(way: Way) {
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-refinement-'))
  const [repo, temp, calls] = [join(root, 'repo'), join(root, 'tmp'), join(root, 'calls.ndjson')]
  for (const folder of [repo, temp, join(root, '.config', 'pawl')]) fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(join(root, '.config', 'pawl', 'config.yml'), 'ladder: [ollama, grok, claude]\n')
  fs.writeFileSync(join(repo, 'guide.md'), before, { mode: 0o640 })
  fs.writeFileSync(calls, '')
  const worth = way === 'weak' ? '60' : '100'
  const server = spawn(process.execPath, [fixture('writer-and-judge.ts'), calls, worth], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [port] = (await once(server.stdout, 'data')) as [Buffer]
  const host = `127.0.0.1:${port.toString().trim()}`
  const env = {
    TMPDIR: temp,
    // Whoever is killed leaves no compiled code for the next one to start from.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    OLLAMA_HOST: host,
    XAI_BASE_URL: `http://${host}/v1`,
    XAI_API_KEY: 'xai-test-key',
    ANTHROPIC_BASE_URL: `http://${host}`,
    ANTHROPIC_API_KEY: 'anthropic-test-key',
  }
  const program = programAt(repo, root, { ...env, HOME: root })
  const target = join(repo, way === 'write' ? 'guide.md' : 'better.md')
  return {
    way,
    root,
    repo,
    temp,
    program,
    target,
    words: ['refine', ...wordsOf(way), ...bounds, '--plain'],
    /** `fatal` is where it ends itself, as fixtures/fatal.ts reads it. */
    start: (words: readonly string[], fatal?: string): Child => {
      const dying = fatal && {
        PAWL_FATAL: fatal,
        NODE_OPTIONS: `--import=${pathToFileURL(fixture('fatal.ts')).href}`,
      }
      return startPawl({ cwd: repo, home: root, env: { ...env, ...dying } }, words)
    },
    served: (): Served[] =>
      fs
        .readFileSync(calls, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Served),
    /** Whatever was sent before has been counted when this is answered. */
    settled: async (): Promise<void> => void (await (await fetch(`http://${host}/v1/models`)).text()),
    /** Newest first; those that look like one. */
    runs: (): Promise<RunFolder[]> => listAt(program),
    /** What lies where the result goes, if it is not what lay there before. */
    written: (): { readonly text: string; readonly inode: number } | undefined => {
      if (!fs.existsSync(target)) return undefined
      const text = fs.readFileSync(target, 'utf8')
      return text === before ? undefined : { text, inode: fs.statSync(target).ino }
    },
    close: ({ keep }: { readonly keep: boolean }): void => {
      server.kill('SIGKILL')
      if (!keep) fs.rmSync(root, { recursive: true, force: true })
    },
  }
}

const wordsOf = (way: Way): string[] => {
  if (way === 'write') return ['guide.md', '--write']
  const preset = way === 'out' ? 'sap-0010' : 'sap-0020'
  return ['A guide to how we release', '--preset', preset, '--max-tokens', '6000', '--out', 'better.md']
}

export const eventsIn = (run: RunFolder | undefined): number => (run ? eventsAt(run.dir).length : 0)
