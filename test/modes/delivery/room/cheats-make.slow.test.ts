import { cases } from './cheats/make.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('make', cases)
