import { boundsOptions, type CommandEntry, detachOption, queueOptions } from '../../../surfaces/terminal/command.ts'

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
          says: 'a file that the models see as context; may be repeated',
          repeatable: true,
        },
        {
          flags: '--rubric <name>',
          says: 'the rubric to judge by: general, prd, or your own file in YAML or JSON',
        },
        { flags: '-o, --out <file>', says: 'write the result to this file; never overwrites one' },
        { flags: '-w, --write', says: 'write the result back to the file, unless it has changed meanwhile' },
        { flags: '--model <name>', says: 'the first model; the command doctor lists them' },
        { flags: '--judge <name>', says: 'the model that judges; preferably of another family' },
        { flags: '--local-only', says: 'send nothing to other machines: escalation and failover stay local' },
        { flags: '--preset <name>', says: 'the rules: standard (default), sap-0020, sap-0010' },
        { flags: '--adaptive', says: 'the same as --preset sap-0010' },
        { flags: '--no-calibrate', says: 'do not calibrate the judge with texts of known quality' },
        { flags: '-n, --max-iterations <n>', says: 'iterations over all phases (default 7, with sap-0020 5)' },
        ...boundsOptions.slice(1),
        { flags: '-q, --quiet', says: 'print only how it ended' },
        { flags: '-v, --verbose', says: 'stream model output' },
        { flags: '--plain', says: 'print lines only, without redrawing; default with ACCESSIBLE=1, CI or TERM=dumb' },
        detachOption,
        ...queueOptions,
      ],
      examples: [
        'pawl refine docs/prd.md --goal "an engineer can start from it" --rubric prd',
        'pawl refine docs/prd.md --write --max-cost 1',
        'pawl refine "A one-page guide to our release process" -c RELEASING.md --out guide.md',
        'pawl refine - --goal "release notes" --local-only < commits.txt',
      ],
    },
    load: () => import('./refine.ts'),
  },
]
