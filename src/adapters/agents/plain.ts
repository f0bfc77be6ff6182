import { endOf, type Reader, unknownUsage } from './reader.ts'

/** An agent whose output is text: its last message is the last line that is not blank. */
export function readPlain(): Reader {
  let last = ''
  return {
    line: (text) => {
      const says = text.trim()
      if (says === '') return undefined
      last = says
      return { says }
    },
    told: () => ({ usage: unknownUsage, lastMessage: endOf(last), denied: 0 }),
  }
}
