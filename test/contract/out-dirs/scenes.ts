import type { OutDirName } from '../../../src/testing/out-dirs.ts'
import { type Ended, newScene, type Scene, type Setting } from './scene.ts'

/** How an ending comes about: what is there, and what happens. Without `play`: plan, then execute. */
type Script = Setting & { readonly play?: (scene: Scene) => Promise<Ended> }

const greets = { when: { task: 'S1' }, output: 'I wrote a greeting.\n', write: { 'S1.txt': 'hello\n' } }
const takesLeave = { when: { task: 'S2' }, output: 'I wrote a farewell.\n', write: { 'S2.txt': 'bye\n' } }
const lies = { output: 'All tests pass.\n', usage: { tokens: 900, cost_usd: 0.01 } }
const thinks = { when: { task: 'S2' }, output: 'Let me think.\n', silent_ms: 600_000 }
const test = "import { test } from 'node:test'\ntest('greets', () => {})\n"

const journalBytes = 6900

const scripts: Readonly<Record<OutDirName, Script>> = {
  success: {
    agent: [
      { when: { task: 'S1', attempt: 1 }, ...lies },
      { ...greets, usage: { tokens: 1200, cost_usd: 0.02 } },
      takesLeave,
    ],
  },
  'success-unproven': {
    agent: [greets, lies],
    input: { verification: { story_commands: ['sh check.sh S1'], run_commands: [] } },
  },
  'success-tampering': {
    files: { 'test/greet.test.js': test },
    agent: [
      { ...greets, write: { ...greets.write, 'test/greet.test.js': test.replace("test('", "test.skip('") } },
      takesLeave,
    ],
  },
  'plan-generation-failed': {
    prd: '# Greetings\n\nOur customers want to be greeted.\n',
    play: (scene) => scene.plan(),
  },
  'agent-exit-nonzero': {
    agent: [{ stderr: 'I give up\n', exit: 1 }],
    input: { limits: { story_max_attempts: 2 } },
  },
  'agent-timeout': {
    agent: [{ ...thinks, when: {} }],
    input: { limits: { story_timeout_minutes: 0.1 } },
  },
  'story-verification-failed': {
    agent: [greets],
    input: {
      verification: {
        story_commands: ['sh check.sh {story_id}'],
        run_commands: [],
        by_requirement: { 'AC-01': ['no-such-program --check'] },
      },
    },
  },
  'run-verification-failed': {
    agent: [greets, takesLeave],
    input: { verification: { story_commands: ['sh check.sh {story_id}'], run_commands: ['sh check.sh S3'] } },
  },
  'attempt-budget-exhausted': {
    agent: [lies],
    input: { limits: { story_max_attempts: 2 } },
  },
  'run-timeout': {
    agent: [greets, thinks],
    input: { limits: { run_timeout_minutes: 0.1 } },
  },
  'blocked-dependency': { input: { working_branch: 'scarlet/greetings' } },
  'agent-blocked': {
    agent: [greets, { output: 'Nobody told me which language.\n<promise>BLOCKED</promise>\n' }],
  },
  asked: {
    files: { 'test/greet.test.js': test },
    agent: [{ ...greets, delete: ['test/greet.test.js'] }],
    input: { policy: { tampering: 'ask' } },
  },
  interrupted: { agent: [greets, thinks], play: whileItThinks((child) => child.kill('SIGTERM')) },
  cancelled: { agent: [greets, thinks], play: whileItThinks((_, scene) => scene.stop()) },
  killed: { agent: [greets, thinks], play: whileItThinks((child) => child.kill('SIGKILL')) },
  'invalid-input': { input: { limits: { story_max_attemps: 3 } }, play: (scene) => scene.plan() },
  'not-saved': {
    // A full disk, as far as one file can have it: the limit falls into the line that ends the second attempt.
    agent: [greets, takesLeave],
    play: async (scene) => {
      await scene.plan()
      return scene.execute(['prlimit', `--fsize=${journalBytes}`]).ended
    },
  },
  'wait-exhausted': {
    agent: [greets, { limit: { reset_in_ms: 3_600_000 }, exit: 1 }],
    input: { limits: { wait_minutes: 30 } },
  },
}

/** Plays it with the built program, in a folder of its own. */
export async function play(name: OutDirName): Promise<Scene & Ended> {
  const { play = planAndExecute, ...setting } = scripts[name]
  const scene = newScene(setting)
  return { ...scene, ...(await play(scene)) }
}

async function planAndExecute(scene: Scene): Promise<Ended> {
  await scene.plan()
  return scene.execute().ended
}

type Running = ReturnType<Scene['execute']>['child']

function whileItThinks(act: (child: Running, scene: Scene) => unknown) {
  return async (scene: Scene): Promise<Ended> => {
    await scene.plan()
    const { child, ended } = scene.execute()
    await scene.until(() => scene.holds('attempts/S2-attempt-1-agent.log', 'think'), 'the agent thinks')
    await act(child, scene)
    return ended
  }
}
