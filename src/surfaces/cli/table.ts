import type { CommandSpec, OptionSpec } from './command.ts'

const bounds: readonly OptionSpec[] = [
  { flags: '-n, --max-iterations <n>', says: 'end after n iterations, 0 for no bound' },
  { flags: '--max-time <duration>', says: 'end after this much active time, such as 3h' },
  { flags: '--max-cost <usd>', says: 'end once this much is spent' },
  { flags: '--max-tokens <n>', says: 'end once this many tokens are used' },
]

const going: readonly OptionSpec[] = [
  ...bounds,
  { flags: '-q, --quiet', says: 'say only how it ended' },
  { flags: '-v, --verbose', says: 'also print what the agent says as it goes, some of it where it says very much' },
  { flags: '--plain', says: 'lines only, nothing redrawn; as with ACCESSIBLE=1, CI or TERM=dumb' },
  { flags: '--trust', says: "trust the commands that this repository's config names" },
  { flags: '--agent <name>', says: 'the agent by name: claude, codex, opencode, scripted' },
  { flags: '--ai-cmd <command>', says: 'the agent as any command that reads its prompt on stdin' },
  { flags: '--model <name>', says: 'the model that an agent known by name is told to use' },
  { flags: '--until <what>', says: 'what ends it early: never, gates, promise+gates' },
  {
    flags: '-c, --context <text>',
    says: 'a file or a text put before the prompt; may be given again',
    repeatable: true,
  },
  { flags: '-d, --detach', says: 'go on in a process that survives this terminal' },
]

/** Every command there is. Help, completion and parsing are made from this. */
export const commands: readonly CommandSpec[] = [
  {
    name: 'run',
    group: 'START',
    args: '<procedure>',
    says: 'run a procedure: an agent started fresh for every iteration, gates after it',
    options: [
      ...going,
      { flags: '--allow-unknown-cost', says: 'keep --max-cost although the agent does not tell what it spends' },
      { flags: '--dry-run', says: 'show the prompt and the command, start nothing' },
      { flags: '--fresh', says: 'start anew although an earlier run is unfinished' },
    ],
    examples: [
      'pawl run build --dry-run',
      'pawl run build -n 3',
      'pawl run build --agent claude --max-time 3h --max-cost 5 --detach',
      'pawl run build --ai-cmd "my-agent --headless" -c notes.md',
    ],
  },
  {
    name: 'init',
    group: 'START',
    says: 'set up this repository: finds agents and gates, writes a procedure with four prompts',
    options: [{ flags: '-y, --yes', says: 'write without asking; without a terminal nothing is written otherwise' }],
    examples: ['pawl init', 'pawl init --yes', 'pawl init --yes --json'],
  },
  {
    name: 'demo',
    group: 'START',
    says: 'see it work, without keys or network, in under a minute',
    options: [{ flags: '--keep <folder>', says: 'make the demo there and keep it' }],
    examples: ['pawl demo'],
  },
  {
    name: 'ls',
    group: 'RUNS',
    says: 'list runs, newest first',
    options: [{ flags: '-a, --all', says: 'of every folder, not only this one' }],
    examples: ['pawl ls', 'pawl ls --all --json'],
  },
  {
    name: 'show',
    group: 'RUNS',
    args: '[run]',
    says: 'what a run did: what to look at first, what changed, gates, iterations, spending, what is next',
    options: [{ flags: '--format <format>', says: 'text, or github: markdown for the summary of a CI job' }],
    examples: ['pawl show', 'pawl show build', 'pawl show 20260214 --format github'],
  },
  {
    name: 'why',
    group: 'RUNS',
    args: '[run]',
    says: 'why a run stands where it stands: which rule decided, where it was set, what continues it',
    examples: ['pawl why', 'pawl why build --json'],
  },
  {
    name: 'logs',
    group: 'RUNS',
    args: '[run]',
    says: "print a run's events, or what its agents and gates print",
    options: [
      { flags: '-f, --follow', says: 'go on as the run goes on' },
      { flags: '-o, --output', says: 'the output of the newest attempt instead of events; with -f as it comes' },
    ],
    examples: ['pawl logs', 'pawl logs -f build', 'pawl logs --output'],
  },
  {
    name: 'resume',
    group: 'RUNS',
    args: '[run]',
    says: 'go on with a run that was interrupted, crashed, waits or has ended short of its goal',
    options: [
      ...going,
      { flags: '--now', says: 'do not wait for a limit to pass' },
      { flags: '--take-over', says: 'although its owner cannot be proved dead' },
    ],
    examples: ['pawl resume', 'pawl resume build --max-iterations 20', 'pawl resume build --agent codex --now'],
  },
  {
    name: 'answer',
    group: 'RUNS',
    args: '[run] [choice]',
    says: 'answer what a run asks',
    options: [{ flags: '-t, --text <text>', says: 'words of your own' }],
    examples: ['pawl answer build yes', 'pawl answer build --text "shorter, please"'],
  },
  {
    name: 'pause',
    group: 'RUNS',
    args: '[run]',
    says: 'let a run pause at its next boundary',
    examples: ['pawl pause build'],
  },
  {
    name: 'stop',
    group: 'RUNS',
    args: '[run]',
    says: 'end a run: what runs is stopped, what is done is kept',
    examples: ['pawl stop build'],
  },
  {
    name: 'fsck',
    group: 'RUNS',
    args: '[run]',
    says: 'check everything a run has kept, and whether its decisions would be made again',
    examples: ['pawl fsck', 'pawl fsck build --json'],
  },
  {
    name: 'clean',
    group: 'RUNS',
    says: 'remove ended runs of this folder; unfinished ones are never touched',
    options: [
      { flags: '--keep <n>', says: 'keep the newest n runs (default 10)' },
      { flags: '-y, --yes', says: 'do it; without this it only tells what it would remove' },
    ],
    examples: ['pawl clean', 'pawl clean --keep 3 --yes'],
  },
  {
    name: 'schema',
    group: 'MACHINE',
    args: '[name]',
    says: 'print a JSON schema: config, event, note, request, script',
    examples: ['pawl schema', 'pawl schema config'],
  },
  {
    name: 'doctor',
    group: 'SETUP',
    says: 'check this machine and folder: git, disk, process supervision, agents, configuration, runs',
    options: [
      { flags: '--probe', says: 'let each agent that is logged in make one small file: a real call' },
      { flags: '--agent <name>', says: 'probe this one only' },
      { flags: '--ai-cmd <command>', says: 'probe this command' },
    ],
    examples: ['pawl doctor', 'pawl doctor --json', 'pawl doctor --probe --agent claude'],
  },
  {
    name: 'config',
    group: 'SETUP',
    args: '[explain] [key]',
    says: 'show every setting in force, or explain where one comes from',
    options: [{ flags: '-p, --procedure <name>', says: 'as this procedure sees it' }],
    examples: ['pawl config', 'pawl config explain failure_threshold', 'pawl config explain gates -p build'],
  },
  {
    name: 'completion',
    group: 'SETUP',
    args: '<shell>',
    says: 'print a completion script for bash, zsh or fish',
    examples: ['pawl completion bash'],
  },
]
