// Our own loops, each a separate run: one after another, or all at once.
import { instantModel } from '../instant-model.ts'
import { type Keeping, refineLoops } from '../refine-loop.ts'
import { type Manner, timeLoops } from '../step-time.ts'

const [around, manner, count, keeping] = process.argv.slice(2) as [string, Manner, string, Keeping]
console.log(JSON.stringify(await timeLoops(refineLoops(around, instantModel, keeping), manner, Number(count))))
