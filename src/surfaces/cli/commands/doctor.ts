import { PawlError } from '../../../contract/exit.ts'
import { runDoctor } from '../../../setup/doctor/doctor.ts'
import { type ProbeChoice, probeFindings } from '../../../setup/doctor/probes.ts'
import type { Handler, Invocation } from '../../terminal/command.ts'
import { layoutTable } from '../../terminal/table.ts'

export const handle: Handler = async (invocation) => {
  const { program, io } = invocation
  const choice = readProbeChoice(invocation)
  const findings = [...(await runDoctor(program.machine)), ...(choice ? await probe(invocation, choice) : [])]
  const fixes = findings.flatMap(({ check, fix }) => (fix ? [`  ${check}: ${fix}`] : []))
  io.result({ findings }, () => [
    ...layoutTable(
      findings.map(({ check, status, says }) => [[{ text: status, look: looks[status] }], check, says]),
      { width: io.width(), shorten: [], drop: [], wrap: 2 },
    ),
    ...(fixes.length > 0 ? ['', 'To fix:', ...fixes] : []),
  ])
  return findings.some(({ status }) => status === 'fail') ? 10 : 0
}

const looks = { ok: 'green', absent: 'dim', weak: 'yellow', fail: 'red' } as const

function readProbeChoice({ options }: Invocation): ProbeChoice | undefined {
  const { agent, aiCmd } = options
  if (options.probe !== true) {
    if (agent === undefined && aiCmd === undefined) return undefined
    throw new PawlError(2, '--agent and --ai-cmd need --probe', 'Add --probe to the command.')
  }
  return { ...(typeof agent === 'string' && { agent }), ...(typeof aiCmd === 'string' && { aiCmd }) }
}

async function probe({ program: { machine }, io }: Invocation, choice: ProbeChoice): ReturnType<typeof probeFindings> {
  const stop = new AbortController()
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(new PawlError(codes[signal], `the probe was stopped by ${signal}`)))
  return probeFindings(machine, choice, (line) => io.err(line), stop.signal)
}
