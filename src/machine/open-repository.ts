import { createRepository } from '../adapters/git/repository.ts'
import { capture } from '../adapters/shell/capture.ts'
import type { Repository } from '../ports/repository.ts'
import type { Place } from '../run/paths.ts'

export const openRepository = ({ env }: Pick<Place, 'env'>, folder: string): Repository =>
  createRepository({ folder, env, capture })
