// Loops of ours, each in a folder of its own: one after another, or all at once.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { instantModel } from '../instant-model.ts'
import { type Durability, refineLoop } from '../refine-loop.ts'
import { type Manner, timeLoops } from '../step-time.ts'

const [around, manner, count, durability] = process.argv.slice(2) as [string, Manner, string, Durability]
const loop = refineLoop(instantModel, durability)
let made = 0

async function one(): Promise<void> {
  made++
  const dir = join(around, `run-${made}`)
  mkdirSync(dir)
  await loop(dir)
}

console.log(JSON.stringify(await timeLoops(one, manner, Number(count))))
