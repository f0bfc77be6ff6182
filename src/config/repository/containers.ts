import { parseJsonObject, pickStrings, type Repository } from './repository.ts'

/** Whether commands start containers, as far as they and the files that they name say. A container sees real paths only. */
export function startContainers({ text }: Repository, commands: readonly string[]): boolean {
  const words = commands.flatMap((command) => command.match(/[\w@./+-]+/g) ?? [])
  const scripts = Object.values(pickStrings(parseJsonObject(text('package.json')).scripts))
  const named = [...makefiles, ...words.filter((word) => !word.startsWith('/') && !word.includes('..'))]
  return [...commands, ...scripts, ...new Set(named.map(text))].some((one) => containers.test(one))
}

const makefiles = ['GNUmakefile', 'makefile', 'Makefile', 'justfile', 'Taskfile.yml']
const containers = /(?:^|[\s;&|(/"'@-])(?:docker|docker-compose|podman|nerdctl|devcontainer)\s/m
