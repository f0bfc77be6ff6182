import type { Speaker } from './claim.ts'
import { recorded, type Shown, speak } from './speak.ts'

/** Said in earnest, in the place where such things are said. Believed, so that nobody passes by believing nothing. */
export type Truth = {
  readonly name: string
  readonly speaker: Speaker
  readonly shown: Shown
  readonly cameTo: Readonly<Record<string, unknown>>
}

const completed = { ending: 'completed', reason: 'promise kept, gates green', done: 1 }
const failed = { ending: 'failed', failed: 1, done: 0, agent: 'failed' }
const blocked = { ending: 'blocked', reason: 'the agent says that it is blocked' }
const waiting = (fault: string) => ({ left: 'waiting', agent: 'unavailable', fault, failed: 0 })

const say = (name: string, speaker: Speaker, says: string, cameTo: Truth['cameTo'], tool?: string): Truth => ({
  name,
  speaker,
  shown: speak(speaker, { says, ...(tool !== undefined && { tool }) }),
  cameTo,
})

const play = (speaker: Exclude<Speaker, 'text'>, scenario: string, cameTo: Truth['cameTo']): Truth => ({
  name: `${scenario} of ${speaker}`,
  speaker,
  shown: recorded(speaker, scenario),
  cameTo,
})

export const truths: readonly Truth[] = [
  say('SUCCESS as text', 'text', 'All nine tasks are done.\n\n<promise>SUCCESS</promise>\n', completed),
  say('SUCCESS and not a word more', 'text', '<promise>SUCCESS</promise>', completed),
  say(
    'SUCCESS with CRLF and blank lines after it',
    'text',
    'Done.\r\n<promise>SUCCESS</promise>\r\n\r\n\r\n',
    completed,
  ),
  say('SUCCESS indented by two, as some programs print', 'text', '● Done.\n\n  <promise>SUCCESS</promise>', completed),
  say('SUCCESS after a fence that was closed', 'text', '```sh\nmake\n```\n<promise>SUCCESS</promise>', completed),
  say('SUCCESS after a negation of it', 'text', 'It was not BLOCKED for long.\n<promise>SUCCESS</promise>', completed),
  say('SUCCESS after three million dots', 'text', `${'.'.repeat(3e6)}\n<promise>SUCCESS</promise>`, completed),
  say('SUCCESS twice', 'text', '<promise>SUCCESS</promise>\nOnce more:\n<promise>SUCCESS</promise>', completed),
  say(
    'SUCCESS after files with promises',
    'claude',
    'So.\n<promise>SUCCESS</promise>',
    completed,
    '<promise>FAILURE</promise>',
  ),
  say('SUCCESS in the frame of claude', 'claude', 'Done.\n\n<promise>SUCCESS</promise>', completed),
  say('SUCCESS in the frame of codex', 'codex', 'Done.\n<promise>SUCCESS</promise>\n', completed),
  say('SUCCESS in the frame of opencode', 'opencode', '\n\nDone.\n\n<promise>SUCCESS</promise>', completed),
  say('FAILURE as text', 'text', 'The library does not exist.\n<promise>FAILURE</promise>', failed),
  say('FAILURE in the frame of codex', 'codex', '<promise>FAILURE</promise>', failed),
  say('BLOCKED as text', 'text', 'The token has expired.\n<promise>BLOCKED</promise>', blocked),
  say('BLOCKED in the frame of claude', 'claude', 'No token.\n\n<promise>BLOCKED</promise>', blocked),
  play('claude', 'usage-limit', waiting('limit')),
  play('codex', 'usage-limit', waiting('limit')),
  play('opencode', 'limit-429', waiting('limit')),
  play('claude', 'overloaded', waiting('provider')),
  play('claude', 'no-login', { ending: 'blocked', reason: 'the agent is not logged in', fault: 'login' }),
  play('claude', 'denied', { denied: 1, idle: 1 }),
  play('codex', 'denied', { denied: 1, idle: 1 }),
]
