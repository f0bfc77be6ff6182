import type { RunRow } from '../../src/contract/web.ts'
import type { IconName } from './parts/icon.tsx'

/** The colour of a status: see `st-*` in styles/status.css. */
export type Tone = 'run' | 'you' | 'ok' | 'bad' | 'up' | 'off'
export type Look = { readonly word: string; readonly icon: IconName; readonly tone: Tone }

const looks: Readonly<Record<RunRow['standing'], Look>> = {
  queued: { word: 'Queued', icon: 'wait', tone: 'off' },
  running: { word: 'Running', icon: 'run', tone: 'run' },
  waiting: { word: 'Waiting', icon: 'wait', tone: 'off' },
  blocked: { word: 'Blocked', icon: 'you', tone: 'you' },
  completed: { word: 'Completed', icon: 'ok', tone: 'ok' },
  failed: { word: 'Failed', icon: 'bad', tone: 'bad' },
  cancelled: { word: 'Cancelled', icon: 'off', tone: 'off' },
  crashed: { word: 'Crashed', icon: 'broken', tone: 'bad' },
  interrupted: { word: 'Interrupted', icon: 'broken', tone: 'off' },
  damaged: { word: 'Damaged', icon: 'bad', tone: 'bad' },
}

/** The word, icon and colour of where a run stands. */
export function lookOf({ standing, needsYou, waits }: Pick<RunRow, 'standing' | 'needsYou' | 'waits'>): Look {
  if (standing !== 'waiting') return looks[standing]
  if (waits?.for === 'resume') return { word: 'Paused', icon: 'pause', tone: 'you' }
  if (waits?.for === 'answer' || needsYou) return { word: 'Needs you', icon: 'you', tone: 'you' }
  return looks.waiting
}

const modeIcons: Readonly<Record<string, IconName>> = {
  delivery: 'delivery',
  refinement: 'refinement',
  procedure: 'procedure',
  writing: 'writing',
}

/** The icon of a mode; a plain file for modes that the icon set does not know. */
export const modeIcon = (mode: string): IconName => modeIcons[mode] ?? 'file'
