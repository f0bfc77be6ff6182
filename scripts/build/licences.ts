import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

type Package = { readonly title: string; readonly text: string }

/** Packages that are published with dependencies compiled in, where no module's path shows them. */
const compiledIn: Readonly<Record<string, readonly string[]>> = { docx: ['fflate', 'nanoid'] }

/** Fonts may be given on under this licence. */
const permissive = ['OFL-1.1', '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']

/** Packages of the page, whose styles and fonts are no modules. */
const ofPage = [
  'react',
  'react-dom',
  'scheduler',
  '@tanstack/react-query',
  '@tanstack/query-core',
  'uplot',
  'tailwindcss',
  'daisyui',
  '@fontsource-variable/geist',
  '@fontsource-variable/geist-mono',
]

/** Collects the licences of the bundled packages, each text once. Throws if a licence asks for more than attribution. */
export function formatLicences(modules: readonly string[], root: string): string {
  const own = modules.filter((path) => path.includes(`${sep}node_modules${sep}`)).map(findPackage)
  const inside = own.flatMap((folder) =>
    (compiledIn[basename(folder)] ?? []).map(
      (name) => [join(folder, 'node_modules', name), join(dirname(folder), name)].find((path) => existsSync(path))!,
    ),
  )
  const page = ofPage.map((name) => join(root, 'node_modules', name))
  const packages = [...new Set([...own, ...inside, ...page])]
    .map(readPackage)
    .sort((a, b) => a.title.localeCompare(b.title))
  const titles = Map.groupBy(packages, ({ text }) => text)
  const parts = [...titles].map(([text, group]) => `${group.map(({ title }) => title).join('\n')}\n\n${text}\n`)
  return ['The files in this folder contain code of these packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

function findPackage(path: string): string {
  const folder = dirname(path)
  const manifest = join(folder, 'package.json')
  // A package may contain manifests without a name, which only set the module type of a folder.
  const isRoot = existsSync(manifest) && 'version' in JSON.parse(readFileSync(manifest, 'utf8'))
  return isRoot ? folder : findPackage(folder)
}

function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!permissive.includes(license)) throw new Error(`${name} has the licence ${license}: it may not be bundled`)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry))
  const text =
    file === undefined
      ? 'Its package.json names the licence; there is no file with the text.'
      : readFileSync(join(folder, file), 'utf8').trim()
  return { title: `${name} ${version} (${license})`, text }
}
