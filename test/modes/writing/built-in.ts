import type { ProjectType } from '../../../src/modes/writing/contract/project-type.ts'
import { builtInTypesFolder, type LoadedType, loadType } from '../../../src/modes/writing/project/types.ts'

export const loadBuiltIn = (name: string): LoadedType => loadType(name, [builtInTypesFolder()])

export const novel: ProjectType = loadBuiltIn('novel').type
export const prd: ProjectType = loadBuiltIn('prd').type
