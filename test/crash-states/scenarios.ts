import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'

export type Made = {
  readonly workspace: string
  readonly home: string
  /** Folders whose states are examined. Everything else counts as it was before the run. */
  readonly roots: readonly string[]
  /** Folder of the runs. */
  readonly runs: string
  readonly start: readonly string[]
  readonly resume: readonly string[]
  /** Returns the steps that an agent was started for since the loss. */
  listStarts(): string[]
}

type Scenario = (live: string, log: string) => Made

export const scenarios: Readonly<Record<string, Scenario>> = {
  procedure(live, log) {
    const [workspace, home] = [join(live, 'repo'), join(live, 'home')]
    for (const folder of [join(workspace, '.pawl'), home]) fs.mkdirSync(folder, { recursive: true })
    const steps = { observe: 'look', orient: 'think', decide: 'choose', act: 'do it' }
    const build = { ...steps, ai_cmd: 'sh agent.sh', until: 'never', stuck: 'off', durability: 'strict' }
    fs.writeFileSync(join(workspace, '.pawl', 'config.yml'), stringify({ procedures: { build } }))
    fs.writeFileSync(join(workspace, 'agent.sh'), `cat >/dev/null\necho "$PAWL_STORY_ID" >>'${log}'\necho at work\n`)
    return {
      workspace,
      home,
      roots: [join(workspace, '.pawl'), home],
      runs: join(workspace, '.pawl', 'runs'),
      start: ['run', 'build', '-n', '3', '--trust'],
      resume: ['resume', 'build'],
      listStarts: () => readLines(log),
    }
  },

  /** The whole repository is examined: work tree, `.git` and `.pawl`. */
  delivery(live, log) {
    const [workspace, home] = [join(live, 'repo'), join(live, 'home')]
    for (const folder of [workspace, home]) fs.mkdirSync(folder, { recursive: true })
    const tasks = ['- **T1:** Write the first file.', '- **T2:** Write the second file.']
    fs.writeFileSync(join(workspace, 'PRD.md'), `# Two small files\n\n## Tasks\n\n${tasks.join('\n')}\n`)
    const work = `cat >/dev/null\necho "$PAWL_STORY_ID" >>'${log}'\necho done >"$PAWL_STORY_ID.txt"\n`
    fs.writeFileSync(join(live, 'agent.sh'), work)
    const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      [...identity, 'commit', '-qm', 'start'],
    ]) {
      spawnSync('git', args, { cwd: workspace, env: { PATH: process.env.PATH, HOME: home } })
    }
    fs.writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.org\n')
    const agent = ['--ai-cmd', `sh ${join(live, 'agent.sh')}`]
    return {
      workspace,
      home,
      roots: [workspace, home],
      runs: join(workspace, '.pawl', 'runs'),
      start: ['deliver', 'PRD.md', '--verify', 'grep -qx done {story_id}.txt', ...agent],
      resume: ['resume'],
      listStarts: () => readLines(log),
    }
  },

  refinement,
}

/** A text in two calls of a scripted model: the first is rejected, the second accepted. */
function refinement(live: string): Made {
  const [workspace, home] = [join(live, 'repo'), join(live, 'home')]
  for (const folder of [workspace, home]) fs.mkdirSync(folder, { recursive: true })
  const scores = (score: number): string =>
    JSON.stringify({
      evidence: [],
      findings: [],
      scores: { relevance: score, accuracy: score, completeness: score },
      confidence: 0.9,
    })
  const replies = (...texts: string[]) => ({ model: texts.map((reply) => ({ reply, tokens: 5, cost_usd: 0 })) })
  const [writer, judge] = [join(live, 'writer.yml'), join(live, 'judge.yml')]
  fs.writeFileSync(writer, stringify(replies('A first text.\n', 'A second text, which is better.\n')))
  fs.writeFileSync(judge, stringify(replies(scores(75), scores(90))))
  fs.writeFileSync(join(workspace, 'text.md'), 'A text.\n')
  const models = ['--model', `scripted:${writer}`, '--judge', `scripted:${judge}`]
  return {
    workspace,
    home,
    roots: [workspace, home],
    runs: join(workspace, '.pawl', 'runs'),
    start: ['refine', 'text.md', '--preset', 'sap-0010', ...models, '--out', 'out.md'],
    resume: ['resume'],
    listStarts: () => [],
  }
}

const readLines = (path: string): string[] =>
  fs.existsSync(path) ? fs.readFileSync(path, 'utf8').trim().split('\n') : []
