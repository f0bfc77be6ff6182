import { expect, test } from 'vitest'
import { startContainers } from '../../../src/config/repository/containers.ts'

const found = (command: string, files: Readonly<Record<string, string>> = {}): boolean =>
  startContainers({ has: () => false, text: (path) => files[path] ?? '', list: () => [] }, [command])

test.each<[string, Record<string, string>]>([
  ['docker compose run tests', {}],
  ['FOO=1 docker-compose up', {}],
  ['make test', { Makefile: 'test:\n\t@podman run -v $(PWD):/app app\n' }],
  ['npm test', { 'package.json': '{"scripts":{"test":"docker run --rm app"}}' }],
  ['sh scripts/check.sh', { 'scripts/check.sh': 'set -e\ndocker build .\n' }],
])('%s starts containers', (command, files) => {
  expect(found(command, files)).toBe(true)
})

test.each<[string, Record<string, string>]>([
  ['npm test', { 'package.json': '{"name":"docker names","scripts":{"test":"node --test"}}' }],
  ['pytest tests/test_docker.py', {}],
  ['node --test docker.test.js', { 'docker.test.js': "test('docker', () => {})" }],
])('%s does not', (command, files) => {
  expect(found(command, files)).toBe(false)
})
