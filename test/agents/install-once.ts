import { installAgents } from './install.ts'

export default function setup(): void {
  installAgents()
}
