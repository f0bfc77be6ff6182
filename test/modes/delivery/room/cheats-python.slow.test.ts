import { cases } from './cheats/python.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('python', cases)
