// Loops of ours, each in a folder of its own: one after another, or all at once.
import { instantModel } from '../instant-model.ts'
import { type Durability, refineLoops } from '../refine-loop.ts'
import { type Manner, timeLoops } from '../step-time.ts'

const [around, manner, count, durability] = process.argv.slice(2) as [string, Manner, string, Durability]
console.log(JSON.stringify(await timeLoops(refineLoops(around, instantModel, durability), manner, Number(count))))
