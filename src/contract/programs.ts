/**
 * The names that this program can be called by. `folder` is where it keeps configuration, state and runs in a workspace;
 * `bare` is the command that an unknown first word is an argument of: `rooda build` is `rooda run build`.
 */
export const programs = {
  pawl: { folder: '.pawl' },
  rooda: { folder: '.rooda', bare: 'run' },
  santiago: { folder: '.pawl' },
} as const satisfies Record<string, { readonly folder: string; readonly bare?: string }>
export type ProgramName = keyof typeof programs
export const programNames = Object.keys(programs) as readonly ProgramName[]

/** Every folder that any of these programs keeps in a workspace, each once. */
export const workspaceFolders: readonly string[] = [...new Set(Object.values(programs).map(({ folder }) => folder))]

/** The command that a bare word stands behind, if any. */
export const bareCommand = (program: ProgramName): string | undefined => {
  const found = programs[program]
  return 'bare' in found ? found.bare : undefined
}
