import { cases } from './cheats/go.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('go', cases)
