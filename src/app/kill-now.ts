import { KillNow } from '../ports/shell.ts'

export const killNow = (by: string): KillNow => new KillNow(by)
