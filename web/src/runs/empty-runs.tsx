import { CommandBox } from '../parts/command-box.tsx'
import { Icon } from '../parts/icon.tsx'
import { Teeth } from '../parts/teeth.tsx'
import { Link, paths } from '../router.tsx'
import type { Tone } from '../standing.ts'

const starts = [
  {
    when: 'Under a minute, no keys',
    title: 'See it work',
    does: 'A scripted agent that lies, cheats and is killed. It ends with three verified commits.',
    command: 'pawl demo',
  },
  {
    when: 'In your repository',
    title: 'Deliver a PRD',
    does: 'Shows the stories, what proves each of them, and the bounds. Starts nothing.',
    command: 'pawl deliver docs/prd.md --dry-run',
  },
  {
    when: 'Overnight',
    title: 'Let an agent work',
    does: 'Finds your agents and tests, writes four prompts, and asks first.',
    command: 'pawl init',
  },
]

const ghosts: readonly {
  readonly width: number
  readonly opacity: number
  readonly teeth: readonly (Tone | null)[]
}[] = [
  { width: 92, opacity: 1, teeth: ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'] },
  { width: 110, opacity: 0.75, teeth: ['ok', 'ok', 'run', null, null, null] },
  { width: 76, opacity: 0.5, teeth: ['ok', 'you', null, null] },
]

/** The first page of somebody who has no runs. */
export function EmptyRuns() {
  return (
    <div className="max-w-[960px] mx-auto pt-14 pb-16">
      <div className="grid gap-4 mb-9 px-2 max-md:hidden" aria-hidden="true">
        {ghosts.map(({ width, opacity, teeth }) => (
          <div key={width} className="ghostline" style={{ opacity }}>
            <b style={{ width }} />
            <Teeth teeth={teeth} label="" />
            <b />
          </div>
        ))}
      </div>
      <h1 className="text-2xl">No runs yet</h1>
      <p className="text-lg text-ink-2 mt-2 max-w-[62ch]">
        A run works through tasks; each task gets attempts; each attempt gets a verdict; a rule decides what follows.
        Start one in a terminal, in any folder. It appears here on its own.
      </p>
      <ol className="grid md:grid-cols-3 gap-4 mt-7">
        {starts.map(({ when, title, does, command }) => (
          <li key={command} className="card p-5 flex flex-col gap-3">
            <div>
              <p className="text-xs text-ink-3">{when}</p>
              <h2 className="text-lg mt-0.5">{title}</h2>
              <p className="text-ink-2 mt-1">{does}</p>
            </div>
            <div className="mt-auto">
              <CommandBox command={command} />
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-6 text-ink-2 flex flex-wrap items-center gap-3">
        <Link className="btn btn-sm btn-line" href={paths.start}>
          <Icon name="refinement" />
          Refine a text here
        </Link>
        <span>needs no terminal, only a model: Ollama on this machine, or one that your config names.</span>
      </p>
      <p className="mt-8 pt-5 border-t border-line text-sm text-ink-3 flex gap-2">
        <Icon name="lock" className="mt-0.5" />
        <span>This page is served to this machine only. Agents are started in a terminal, never from here.</span>
      </p>
    </div>
  )
}
