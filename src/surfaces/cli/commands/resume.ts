import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'
import { resumeRun } from '../../terminal/drive.ts'

export const handle: Handler = async (invocation) =>
  resumeRun(invocation, await findRun(invocation.program.machine, invocation.args[0], 'act'))
