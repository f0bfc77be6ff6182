import type { Progress } from '../../contract/progress.ts'
import { plural } from '../../show/format.ts'
import { oneLine } from './screen/plain-text.ts'

/** Every line of an agent, as many as a person could read: the rest is counted. */
export type AgentOutput = {
  hear(progress: Progress): void
  /** What was heard since the last time, to be printed now. `behind`: whoever reads does not keep up. */
  take(behind: boolean): string[]
}

const mostAtOnce = 20

/** Contract: costs the same for every line that is left out, however long, and holds a bounded number of others. */
export function createAgentOutput(): AgentOutput {
  const heard: Progress[] = []
  let leftOut = 0
  return {
    hear: (progress) => {
      // A model that writes has not always a whole line to show for it.
      if (progress.says === '') return
      if (heard.length < mostAtOnce) heard.push(progress)
      else leftOut++
    },
    take: (behind) => {
      if (behind) leftOut += heard.splice(0).length
      if (behind || (heard.length === 0 && leftOut === 0)) return []
      const lines = heard.splice(0).map(({ phase, says }) => `  | ${phase === 'gate' ? 'gate: ' : ''}${oneLine(says)}`)
      if (leftOut > 0) lines.push(`  | … ${plural(leftOut, 'line')} left out`)
      leftOut = 0
      return lines
    },
  }
}
