/**
 * The names of this program. `folder` holds configuration, state and runs in a workspace. `bare` is the command to use
 * if the first word is no command: `rooda build` means `rooda run build`. `alone`: the command without any word.
 */
export const programs = {
  pawl: { folder: '.pawl' },
  rooda: { folder: '.rooda', bare: 'run' },
  santiago: { folder: '.pawl' },
  agentic: { folder: '.agentic', bare: 'write', alone: 'write' },
} as const satisfies Record<string, { readonly folder: string; readonly bare?: string; readonly alone?: string }>
export type ProgramName = keyof typeof programs
export const programNames = Object.keys(programs) as readonly ProgramName[]

/**
 * A text for people. A function if it names this program or its folder in a workspace: people call the program by several names, and
 * only the surface that shows the text knows which.
 */
export type OwnText = string | ((program: ProgramName, folder: string) => string)
export type Called = { readonly program: ProgramName; readonly folder: string }
export const formatOwnText = (text: OwnText, { program, folder }: Called): string =>
  typeof text === 'string' ? text : text(program, folder)

/** All workspace folders of these programs, without duplicates. */
export const workspaceFolders: readonly string[] = [...new Set(Object.values(programs).map(({ folder }) => folder))]

/** Returns the command for a bare first word. Undefined if the program has none. */
export const bareCommand = (program: ProgramName): string | undefined => {
  const found = programs[program]
  return 'bare' in found ? found.bare : undefined
}

/** Returns the command for no words at all. Undefined if the program then shows its help. */
export const aloneCommand = (program: ProgramName): string | undefined => {
  const found = programs[program]
  return 'alone' in found ? found.alone : undefined
}
