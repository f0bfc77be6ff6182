import { cases } from './cheats/rust.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('rust', cases)
