import { resolve } from 'node:path'
import { runDemo } from '../../../app/demo.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, options, io }) => {
  const keep = typeof options.keep === 'string' ? resolve(place.cwd, options.keep) : undefined
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(new PawlError(130, `the demo was ended by ${signal}`)))
  const demo = await runDemo(place, keep, (line) => (io.json ? io.err(line) : io.out(line)), stop.signal)
  const good = demo.claims.every(({ holds }) => holds)
  io.result(demo, () => [
    '',
    'What it claims, read back from files and the process table:',
    ...demo.claims.map(({ says, holds, found }) => `  ${holds ? 'true ' : 'FALSE'}  ${says} (${found})`),
    '',
    `Artifacts: ${demo.dir}`,
    'Next, in your repository: pawl init, then: pawl run build -n 1',
  ])
  return good ? 0 : 30
}
