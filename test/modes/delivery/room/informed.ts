import type { Case } from './case.ts'
import { cases as go } from './cheats/informed-go.ts'
import { cases as javascript } from './cheats/informed-javascript.ts'
import { cases as listed } from './cheats/informed-listed.ts'
import { cases as make } from './cheats/informed-make.ts'
import { cases as mixed } from './cheats/informed-mixed.ts'
import { cases as moreJavascript } from './cheats/informed-more-javascript.ts'
import { cases as moreOther } from './cheats/informed-more-other.ts'
import { cases as python } from './cheats/informed-python.ts'
import { cases as rust } from './cheats/informed-rust.ts'
import { cases as shell } from './cheats/informed-shell.ts'

/** Cheats by those who did not write the rules, with their source in hand. */
export const informed: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  javascript,
  python,
  go,
  rust,
  shell,
  make,
  mixed,
  listed,
  // Against the control that altered one assertion of each test.
  'more javascript': moreJavascript,
  'more other': moreOther,
}
