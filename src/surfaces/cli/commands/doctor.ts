import { examine } from '../../../app/doctor.ts'
import type { Handler } from '../command.ts'
import { table } from '../format.ts'

export const handle: Handler = async ({ place, io }) => {
  const findings = await examine(place)
  io.result({ findings }, () => [
    ...table(findings.map(({ check, status, says }) => [status, check, says])),
    ...findings.flatMap(({ check, fix }) => (fix ? [`  ${check}: ${fix}`] : [])),
  ])
  return findings.some(({ status }) => status === 'fail') ? 10 : 0
}
