import { cases } from './cheats/javascript.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('javascript', cases)
