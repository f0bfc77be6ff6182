import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FaultName } from '../../../support/model-faults.ts'
import { until } from '../../../surfaces/cli/pawl.ts'
import { markerOf, placesOf } from './markers.ts'
import { pausedRun } from './paused.ts'
import { type Beat, judgement, type Play } from './stage.ts'
import { refineWorkspace } from './workspace.ts'

const words = {
  task: markerOf('Task'),
  goal: markerOf('Goal'),
  context: markerOf('Context'),
  file: markerOf('File'),
  rubric: markerOf('Rubric'),
  title: markerOf('Title'),
  aim: markerOf('Aim'),
  finding: markerOf('Finding'),
  output: markerOf('Output'),
  feedback: markerOf('Feedback'),
  answer: markerOf('Answer'),
  fork: markerOf('Fork'),
}
const markers = Object.values(words)

const plan = JSON.stringify({
  phases: ['One', 'Two', 'Three'].map((name) => ({ title: `${name} ${words.title}`, aim: `${words.aim} for ${name}` })),
})

/** An iteration whose text and judgement hold words of their own. */
function beat(score: number): Beat {
  const findings = [{ quote: words.output, problem: `There is no ${words.finding}`, severity: 'major' }]
  return { text: `Text of ${score}\nabout ${words.output}\n`, judge: { text: judgement(score, { findings }) } }
}

const workspace = (play: Play, config?: string) => refineWorkspace({ phases: { text: plan }, ...play }, {}, config)

const alone = 'ladder: [ollama]\n'

test.each(['sap-0020', 'standard'])('by %s, what people and models wrote lies nowhere in the clear', async (preset) => {
  const scores = preset === 'standard' ? [3, 5] : [60, 85]
  const { root, refine, put, staged } = await workspace({ beats: scores.map(beat) })
  put('brief.md', `About ${words.file}.\n`)
  put('around.md', `Beside it: ${words.context}.\n`)
  const dimension = (id: string) => `  - {id: ${id}, question: "Is ${words.rubric} there?", weight: 1, floor: 0}\n`
  put(
    'mine.yml',
    `id: mine\nversion: 1\ndimensions:\n${['relevance', 'accuracy', 'completeness'].map(dimension).join('')}`,
  )
  const given = ['--goal', words.goal, '-c', 'around.md', '--rubric', 'mine.yml', '--preset', preset, '-v']
  const { out, err } = await refine('brief.md', ...given)
  expect(out + err).toContain(`about ${words.output}`)
  expect(staged.calls('write').some(({ prompt }) => prompt.includes(words.finding))).toBe(true)
  expect(placesOf(root, markers, ['repo/brief.md', 'repo/around.md', 'repo/mine.yml'])).toEqual([])
})

test('a process of its own has no words in its command line, and keeps none of what it says', async () => {
  const commandLines: string[] = []
  const lookAt = (pid: number) => commandLines.push(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  const { root, run, dirOf } = await workspace({
    beats: [beat(4), beat(5)],
    instead: (_, role) => {
      const owner = fs.readdirSync(dirOf()).find((name) => name.startsWith('lease-'))!
      if (role === 'write') lookAt(JSON.parse(fs.readFileSync(join(dirOf(), owner), 'utf8')).pid)
      return undefined
    },
  })
  const { code } = await run('refine', `Write about ${words.task} at length`, '--no-calibrate', '--detach', '-v')
  expect(code).toBe(0)
  await until(() => fs.existsSync(join(dirOf(), 'result.json')), 'it ends')
  expect(commandLines.join()).toContain('resume')
  expect(commandLines.join()).not.toContain(words.task)
  expect(fs.readFileSync(join(dirOf(), 'detached.log'), 'utf8')).toMatch(/Phase 1: 80 ±/)
  expect(placesOf(root, markers)).toEqual([])
})

test.each<FaultName>(['error', 'bad-request', 'login', 'trouble-amid', 'not-json', 'wrong-schema', 'cut'])(
  'a server that answers with %s and repeats what it was asked tells none of it on',
  async (fault) => {
    const says = `You said "${words.task}" for ${words.goal.toLowerCase()}`
    const { root, refine, journal } = await workspace(
      { beats: [{ write: { fault, says, text: `Half of ${words.output}` } }] },
      alone,
    )
    const { code } = await refine(`Write about ${words.task}`, '--goal', words.goal, '--preset', 'sap-0010')
    expect(code).not.toBe(0)
    expect(JSON.stringify(journal())).toMatch(/"fault":"\w+"/)
    expect(placesOf(root, markers)).toEqual([])
  },
)

test('paused, told, answered and forked: what a person says is sealed too', async () => {
  const { root, run, put, staged } = await pausedRun(`Write about ${words.task}`, [75, 75, 85].map(beat), {
    phases: { text: plan },
  })
  put('answer.md', `More of ${words.answer}\n`)
  expect((await run('feedback', 'refine', `Less of ${words.feedback}`)).code).toBe(0)
  expect((await run('answer', 'refine', '--file', 'answer.md')).code).toBe(0)
  expect((await run('resume', 'refine')).code).toBe(0)
  expect((await run('fork', 'refine', '--at', '9', '--feedback', `Another ${words.fork}`)).code).toBe(0)
  const told = staged.calls('write').map(({ prompt }) => prompt)
  for (const word of [words.feedback, words.answer, words.fork])
    expect(told.some((prompt) => prompt.includes(`Human feedback: `) && prompt.includes(word))).toBe(true)
  expect(placesOf(root, markers, ['repo/answer.md'])).toEqual([])
})

test('killed amid an answer it has nothing in the clear, and nothing once it has gone on', async () => {
  let served = 0
  const { root, refine, run, staged } = await workspace({
    beats: [beat(85)],
    instead: (_, role) =>
      role === 'write' && ++served === 2 ? { fault: 'stall-amid', text: `Half of ${words.output}\n\n` } : undefined,
  })
  const started = refine(`Write about ${words.task}`, '--preset', 'sap-0010')
  await until(() => staged.calls('write').length === 2, 'the second text has begun')
  started.child.kill('SIGKILL')
  await started
  expect(placesOf(root, markers)).toEqual([])
  expect((await run('resume', 'refine')).code).toBe(0)
  expect(placesOf(root, markers)).toEqual([])
})

test('an agent used as a model gets no tools, is asked on stdin, and leaves no folder behind, killed or not', async () => {
  const { root, env, refine, run } = await workspace({ beats: [beat(85)] }, 'ladder: [agent:claude]\njudge: ollama\n')
  const temp = join(root, 'temp')
  for (const name of ['bin', 'temp']) fs.mkdirSync(join(root, name))
  const agent = (script: string): void =>
    fs.writeFileSync(join(root, 'bin', 'claude'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  Object.assign(env, { PATH: `${join(root, 'bin')}:${env.PATH}`, TMPDIR: temp })
  agent(`cat > draft.txt; printf '%s\\n' "$@" > ${root}/argv; sleep 60`)
  const started = refine(`Write about ${words.task}`, '--preset', 'sap-0010')
  await until(() => fs.existsSync(join(root, 'argv')) && fs.statSync(join(root, 'argv')).size > 0, 'it is asked')
  started.child.kill('SIGKILL')
  await started
  const argv = fs.readFileSync(join(root, 'argv'), 'utf8').split('\n')
  expect(argv).toContain('--no-session-persistence')
  expect(argv[argv.indexOf('--tools') + 1]).toBe('')
  expect(argv).not.toContain('--model')
  const answer = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'A text' })
  agent(`cat > draft.txt; printf '%s\\n' '${answer}'`)
  expect((await run('resume', 'refine')).code).toBe(0)
  expect(fs.readdirSync(temp).filter((name) => name.startsWith('pawl'))).toEqual([])
  expect(placesOf(root, markers)).toEqual([])
})
