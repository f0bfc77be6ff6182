import { writeFileSync } from 'node:fs'
import { packageFile } from '../../installation.ts'
import { renderHelp } from './help.ts'

/** Run by the build: the top-level help becomes a file that is printed before anything is loaded. */
for (const name of ['pawl', 'rooda', 'santiago', 'agentic']) {
  const file = name === 'pawl' ? 'help.txt' : `help-${name}.txt`
  writeFileSync(packageFile(`dist/${file}`), renderHelp(name))
}
