import { boundsOptions, type CommandEntry, detachOption } from '../../../surfaces/terminal/command.ts'

export const refineCommands: readonly CommandEntry[] = [
  {
    spec: {
      name: 'refine',
      group: 'START',
      rank: 4,
      args: '<what>',
      says: 'make a text better in phases, scored by a judge: a file, a task in quotes, or - for standard input',
      options: [
        { flags: '-g, --goal <text>', says: 'what the text is for, and what matters in it' },
        {
          flags: '-c, --context <file>',
          says: 'a file that the models are shown beside it; may be given again',
          repeatable: true,
        },
        {
          flags: '--rubric <name>',
          says: 'what it is judged by: general, prd, or a file of your own in YAML or JSON',
        },
        { flags: '-o, --out <file>', says: 'write the result there; never over a file that is there already' },
        { flags: '-w, --write', says: 'write the result back into the file, if nobody has changed it meanwhile' },
        { flags: '--model <name>', says: 'the model that begins, as doctor lists them' },
        { flags: '--judge <name>', says: 'the model that judges; best one of another family' },
        { flags: '--local-only', says: 'nothing leaves this machine: no stronger model elsewhere, no stand-in' },
        { flags: '--preset <name>', says: 'the rules: standard (if not given), sap-0020, sap-0010' },
        { flags: '--adaptive', says: 'the same as --preset sap-0010' },
        { flags: '--no-calibrate', says: 'do not measure the judge by texts of known worth' },
        { flags: '-n, --max-iterations <n>', says: 'end after n iterations, over all phases; 7 if not given' },
        ...boundsOptions.slice(1),
        { flags: '-q, --quiet', says: 'say only how it ended' },
        { flags: '-v, --verbose', says: 'also print what the models write as they go' },
        { flags: '--plain', says: 'lines only, nothing redrawn; as with ACCESSIBLE=1, CI or TERM=dumb' },
        detachOption,
      ],
      examples: [
        'pawl refine docs/prd.md --goal "an engineer can start from it" --rubric prd',
        'pawl refine docs/prd.md --write --max-cost 1',
        'pawl refine "A one-page guide to our release process" -c RELEASING.md --out guide.md',
        'git log -20 --format=%s | pawl refine - --goal "release notes" --local-only',
      ],
    },
    load: () => import('./refine.ts'),
  },
]
