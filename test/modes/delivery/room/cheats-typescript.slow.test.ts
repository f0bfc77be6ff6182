import { cases } from './cheats/typescript.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('typescript', cases)
