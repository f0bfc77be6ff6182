// Workflows of five trivial steps with DBOS. Its settings are those it comes with, less its log and its admin server.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { steps } from '../instant-model.ts'
import { timeLanes } from '../lanes.ts'
import { trivialWork } from '../trivial.ts'

type Dbos = {
  readonly DBOS: {
    setConfig(config: Readonly<Record<string, unknown>>): void
    registerWorkflow(workflow: () => Promise<number>, options: { readonly name: string }): () => Promise<number>
    runStep<Result>(step: () => Promise<Result>, options: { readonly name: string }): Promise<Result>
    launch(): Promise<void>
    shutdown(): Promise<void>
  }
}

const [folder, url, lanes, count] = process.argv.slice(2) as [string, string, string, string]
const { DBOS } = createRequire(join(folder, 'package.json'))('@dbos-inc/dbos-sdk') as Dbos
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, logLevel: 'error', runAdminServer: false })
const workflow = DBOS.registerWorkflow(
  async () => {
    let done = 0
    while (done < steps) {
      await DBOS.runStep(trivialWork.attempt, { name: `iteration-${done + 1}` })
      done++
    }
    return done
  },
  { name: 'loop' },
)
await DBOS.launch()

async function one(): Promise<void> {
  const done = await workflow()
  if (done !== steps) throw new Error(`it ended after ${done} steps`)
}

const timed = await timeLanes(one, Number(lanes), Number(count))
console.log(JSON.stringify(timed))
await DBOS.shutdown()
