import { cases } from './cheats/shell.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('shell', cases)
