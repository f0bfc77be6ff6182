import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPerson } from './person.ts'

test('a repository that git refuses to read is refused with what git says, before anything is spent', async () => {
  const { workspace, deliver, start } = newPerson()
  // git refuses a repository of another owner in the same way, but only root can create one.
  fs.writeFileSync(join(workspace, '.git', 'config'), '[core\n')
  const { code, err } = await deliver()
  expect([code, err]).toEqual([10, expect.stringContaining('fatal: bad config line 1 in file .git/config')])
  expect(err).not.toContain('HEAD is detached')
  expect(JSON.parse((await start('ls', '--json')).out)).toEqual({ runs: [] })
})
