import { bounds } from '../../../surfaces/cli/bounds-options.ts'
import type { CommandSpec } from '../../../surfaces/cli/command.ts'

export const refine: CommandSpec = {
  name: 'refine',
  group: 'START',
  args: '<what>',
  says: 'make a text better in phases, scored by a judge: a file, a task in quotes, or - for standard input',
  options: [
    { flags: '-g, --goal <text>', says: 'what the text is for, and what matters in it' },
    {
      flags: '-c, --context <file>',
      says: 'a file that the models are shown beside it; may be given again',
      repeatable: true,
    },
    { flags: '--rubric <name>', says: 'what it is judged by: general, prd, or a file of your own in YAML or JSON' },
    { flags: '-o, --out <file>', says: 'write the result there; never over a file that is there already' },
    { flags: '-w, --write', says: 'write the result back into the file, if nobody has changed it meanwhile' },
    { flags: '--model <name>', says: 'the model that begins, as doctor lists them' },
    { flags: '--judge <name>', says: 'the model that judges; best one of another family' },
    { flags: '--local-only', says: 'nothing leaves this machine: no stronger model elsewhere, no stand-in' },
    { flags: '--preset <name>', says: 'the rules: standard (if not given), sap-0020, sap-0010' },
    { flags: '--adaptive', says: 'the same as --preset sap-0010' },
    { flags: '--no-calibrate', says: 'do not measure the judge by texts of known worth' },
    { flags: '-n, --max-iterations <n>', says: 'end after n iterations, over all phases; 7 if not given' },
    ...bounds.slice(1),
    { flags: '-q, --quiet', says: 'say only how it ended' },
    { flags: '-v, --verbose', says: 'also print what the models write as they go' },
    { flags: '--plain', says: 'lines only, nothing redrawn; as with ACCESSIBLE=1, CI or TERM=dumb' },
    { flags: '-d, --detach', says: 'go on in a process that survives this terminal' },
  ],
  examples: [
    'pawl refine docs/prd.md --goal "an engineer can start from it" --rubric prd',
    'pawl refine docs/prd.md --write --max-cost 1',
    'pawl refine "A one-page guide to our release process" -c RELEASING.md --out guide.md',
    'git log -20 --format=%s | pawl refine - --goal "release notes" --local-only',
  ],
}

export const feedback: CommandSpec = {
  name: 'feedback',
  group: 'RUNS',
  args: '<run> [text]',
  says: 'tell a refinement what you think, without stopping it: the next iteration is told',
  options: [{ flags: '--file <file>', says: 'from a file; - as the text reads it from stdin' }],
  examples: ['pawl feedback prd "Shorter, and say who pays"', 'pawl feedback prd - < review.md'],
}

export const fork: CommandSpec = {
  name: 'fork',
  group: 'RUNS',
  args: '<run>',
  says: 'go on from an earlier point of a refinement with other feedback, as a run of its own',
  options: [
    { flags: '--at <seq>', says: 'the event after which it goes another way, as logs --json numbers them' },
    { flags: '--feedback <text>', says: 'what it is told there' },
    { flags: '--trust', says: 'trust what a run that you did not start was started with' },
    { flags: '-q, --quiet', says: 'say only how it ended' },
    { flags: '--plain', says: 'lines only, nothing redrawn' },
    { flags: '-d, --detach', says: 'go on in a process that survives this terminal' },
  ],
  examples: ['pawl fork prd --at 14 --feedback "For operators, not for developers"'],
}
