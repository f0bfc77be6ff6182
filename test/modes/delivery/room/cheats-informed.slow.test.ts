import { cases as go } from './cheats/informed-go.ts'
import { cases as js } from './cheats/informed-js.ts'
import { cases as last } from './cheats/informed-last.ts'
import { cases as make } from './cheats/informed-make.ts'
import { cases as more } from './cheats/informed-more.ts'
import { cases as py } from './cheats/informed-py.ts'
import { cases as rust } from './cheats/informed-rust.ts'
import { cases as shell } from './cheats/informed-shell.ts'
import { judgeCheats } from './judge-cheats.ts'

judgeCheats('informed-js', js)
judgeCheats('informed-py', py)
judgeCheats('informed-go', go)
judgeCheats('informed-rust', rust)
judgeCheats('informed-shell', shell)
judgeCheats('informed-make', make)
judgeCheats('informed-more', more)
judgeCheats('informed-last', last)
