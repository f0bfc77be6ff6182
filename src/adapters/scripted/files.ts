import { appendFileSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import type { AgentStep } from '../../contract/script.ts'

/** Throws for a path that leaves the workspace, by its words or by a link on the way. */
export function changeFiles(workspace: string, step: AgentStep): void {
  for (const [path, text] of Object.entries(step.write ?? {})) writeFileSync(placeFor(workspace, path), text)
  for (const [path, text] of Object.entries(step.append ?? {})) appendFileSync(placeFor(workspace, path), text)
  for (const path of step.delete ?? []) rmSync(inside(workspace, path), { recursive: true, force: true })
}

function placeFor(workspace: string, path: string): string {
  const place = inside(workspace, path)
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) throw leaving(path)
  mkdirSync(dirname(place), { recursive: true })
  return place
}

function inside(workspace: string, path: string): string {
  const place = resolve(workspace, path)
  if (place === resolve(workspace) || leaves(resolve(workspace), place)) throw leaving(path)
  if (leaves(realpathSync(workspace), realpathSync(nearestFolder(place)))) throw leaving(path)
  return place
}

function nearestFolder(place: string): string {
  const folder = dirname(place)
  return lstatSync(folder, { throwIfNoEntry: false }) ? folder : nearestFolder(folder)
}

function leaves(workspace: string, place: string): boolean {
  const way = relative(workspace, place)
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

function leaving(path: string): Error {
  return new Error(`path leaves the workspace: ${path}`)
}
