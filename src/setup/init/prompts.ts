export const phases = ['observe', 'orient', 'decide', 'act'] as const
export type Phase = (typeof phases)[number]

export type PromptFacts = {
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  /** The file that says what is to be done, there or not. */
  readonly plan: string
  /** Where more is said about it, such as `specs/`. */
  readonly sources: readonly string[]
}

/** What an agent that remembers nothing is told in each iteration. The files are the person's own from then on. */
export const promptTexts = (facts: PromptFacts): Readonly<Record<Phase, string>> => ({
  observe: observe(facts),
  orient: orient(facts),
  decide: decide(facts),
  act: act(facts),
})

const observe = ({ folder, plan, sources }: PromptFacts): string => `\
You are one iteration of a loop. You were started fresh and remember nothing: what earlier iterations knew is in the
files and in git. Nobody is there to answer questions. First look; change nothing yet.

1. Read AGENTS.md, CLAUDE.md and README.md, those that exist: how this project is built, tested and written.
2. Read the plan, \`${plan}\`${sources.length ? `, and what it rests on: ${sources.map(quoted).join(', ')}` : ' and the files it points to'}.
3. Run \`git status --short\` and \`git log --oneline -15\`. Uncommitted changes are the unfinished work of an earlier
   iteration or of a person: read \`git diff\` before you build on them, and never throw them away.
4. The gates are the commands under \`gates:\` in \`${folder}/config.yml\`. They run after you, and they alone decide
   whether your work counts. See how the last ones went:
   \`ls -t ${folder}/runs/"$PAWL_RUN_ID"/attempts/*-gate-*.log 2>/dev/null | head -1\` names the newest output. Read
   its end; if there is none, or you doubt it, run the gates yourself.
`

const orient = ({ plan }: PromptFacts): string => `\
Work out where things stand, and put it into a few plain lines:

- Which items of \`${plan}\` are really done? Believe code and passing tests, not a tick in a list.
- What is missing, broken or half done? Never take something for missing because you have not seen it: search for it
  first, by name and by what it would do. Much of what looks absent only has another name.
- Is a gate red, and why? Find the first error, not the last; tell a cause in the code from one in the surroundings.
- What did the last iterations try? If the same step has failed before, do not repeat it: find out why it failed.
- Which single step now brings the plan furthest? A red gate comes before everything, half-done work before new work,
  what other items wait for before what stands alone.
`

const decide = ({ plan }: PromptFacts): string => `\
Choose exactly one task, and no second one.

- Small: finished, tested and committed within this iteration. If its description needs an "and", take the first half.
- Verifiable: you can name the command that fails now, or is not there yet, and passes when the task is done.

Write it down before you begin, in \`${plan}\`: the task in one line, and the command that proves it. Whatever else you
noticed becomes an item there too, one line each, for a later iteration. If the plan is wrong, correct it and say why.

If every item is done, choose no task: go on to ACT and only verify. If there is no plan, or it does not tell what is
wanted, do not invent a product: say in ACT that you are blocked.
`

const act = ({ folder, plan }: PromptFacts): string => `\
1. Do the task, whole: no stubs, no placeholders, no "later". Follow the style of the code around it.
2. Write or extend the test that fails without your change, and see it pass with it.
3. Run every gate of \`${folder}/config.yml\`, in order. Fix what is red, also what was red before you came.
4. All green: tick the task off in \`${plan}\`, add what the next iteration must know, and commit. Add files by name,
   only those of this task; the message is one plain line that says what now works. Do not push.
5. Not green and no way forward: leave the tree so that the next iteration can go on, and write into \`${plan}\` what you
   tried and what you learned. Do not commit red work.

Never weaken, skip or delete a test, a check or a lint rule to get a gate green. Never edit \`${folder}/\`, CI files or
git hooks. Never print, move or commit secrets. Leave nothing running.

Your final message is read by a program, and only its very last line counts as a signal: the tag alone on that line, no
quotes, no formatting. If every item of the plan is done and you have just seen all gates pass, that line is
<promise>SUCCESS</promise> and nothing else. If you could not do what this iteration needed, give the reasons and then
end with the line <promise>FAILURE</promise> instead. If only a person can remove what stops you (a missing key, access,
a decision), say what is needed and end with the line <promise>BLOCKED</promise> instead. In every other case, and that
is the usual one, signal nothing: end with one sentence about what you did and what comes next.
`

const quoted = (path: string): string => `\`${path}\``
