import type { Call, Outcome, Verdict } from '../../../contract/event.ts'
import { describeExit, type FailedCommand } from '../../../judging/commands.ts'
import type { Story } from '../contract/plan.ts'
import { fenceCode } from './critique.ts'
import { describeRun } from './describe-run.ts'
import { attemptData, verdictData } from './event-data.ts'
import { formatRed } from './result.ts'

export type JudgedAttempt = {
  readonly story: Story
  readonly attempt: number
  readonly outcome: Outcome
  readonly verdict: Verdict
  readonly commands: readonly string[]
  readonly failed: FailedCommand | undefined
  /** What failed with the tests and settings from before the story, although the commands pass. */
  readonly elsewhere: FailedCommand | undefined
  readonly call: Call | undefined
  readonly prompt: string
  readonly diff: string
}

const maxCharacters = 200_000

/** Formats one attempt as a page: the result first, then the diff and the prompt. */
export function formatPage(judged: JudgedAttempt): string {
  const { story, attempt, outcome, verdict, elsewhere, prompt, diff } = judged
  const tampering = attemptData(outcome).tampering ?? []
  const named = tampering.map(
    ({ kind, path, says, expected }) => `- ${path} (${kind}${expected ? ', named in the story' : ''}): ${says}`,
  )
  const sections = [
    `# ${story.id}, attempt ${attempt}: ${verdict.status}`,
    `${story.title}`,
    formatFacts(judged),
    ...(named.length ? [`## Changes to files that decide verification\n\n${named.join('\n')}`] : []),
    `## Verification\n\n${formatVerification(judged)}`,
    ...(elsewhere ? [`## With the tests and settings from before the story\n\n${formatElsewhere(elsewhere)}`] : []),
    `## Diff\n\n${diff ? fenceCode(truncate(diff)) : 'Nothing was changed.'}`,
    `## Prompt\n\n${fenceCode(truncate(prompt))}`,
  ]
  return `${sections.join('\n\n')}\n`
}

function formatFacts({ outcome, verdict, call }: JudgedAttempt): string {
  const { evidence, place, runs = [] } = verdictData(verdict)
  const { tokens = null, costUsd = null } = call?.usage ?? {}
  const rows = [
    `- Agent: ${call?.via ?? 'unknown'}, ${outcome.status}${outcome.detail ? ` (${outcome.detail})` : ''}`,
    `- Verdict: ${verdict.status}${verdict.detail ? `: ${verdict.detail}` : ''}`,
    ...(evidence ? [`- Evidence: ${evidence}`] : []),
    ...(place ? [`- Verified in: ${place.replaceAll('_', ' ')}`] : []),
    ...(runs.length > 0
      ? ['- Other runs:', ...runs.map((one) => `  - ${one.run} ${one.ended}: ${describeRun(one)}`)]
      : []),
    `- Cost: ${costUsd === null ? 'unknown' : `$${costUsd}`}, tokens: ${tokens ?? 'unknown'}`,
    ...(call ? [`- Agent time: ${(call.providerMs / 1000).toFixed(1)} s`] : []),
  ]
  return rows.join('\n')
}

function formatVerification({ commands, failed, verdict }: JudgedAttempt): string {
  const { by, red } = verdictData(verdict)
  const isGreen = verdict.status === 'passed' || by === 'evidence' || by === 'unkept'
  const reached = failed ? failed.index : isGreen ? commands.length : 0
  const rows = commands.map((command, index) => {
    const how = index < reached ? 'passed' : failed?.index === index ? describeExit(failed.exit) : 'not run'
    return `- ${red ? 'run' : how}: ${JSON.stringify(command)}`
  })
  if (red) rows.push(`- still red, as before the story: ${formatRed(red)}`)
  return [rows.join('\n') || 'No commands.', ...formatOutput(failed)].join('\n\n')
}

const formatElsewhere = (failed: FailedCommand): string =>
  [`- ${describeExit(failed.exit)}: ${JSON.stringify(failed.command)}`, ...formatOutput(failed)].join('\n\n')

function formatOutput(failed: FailedCommand | undefined): readonly string[] {
  const output = failed && `${failed.exit.stdoutTail}\n${failed.exit.stderrTail}`.trim()
  return output ? [fenceCode(truncate(output))] : []
}

const truncate = (text: string): string =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n(truncated)` : text.trimEnd()
