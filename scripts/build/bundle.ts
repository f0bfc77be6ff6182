import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** Modules that are started by path: by bin/pawl.cjs, or as separate processes. */
const programs = ['main', 'adapters/scripted/agent', 'adapters/acp/bridge']

/**
 * Nearly every command needs these rooms. One file loads faster than the forty small ones that the bundler would create
 * by default: `pawl show` takes a tenth less.
 */
const shared = {
  name: 'shared',
  test: /\/src\/(kernel|ports|show|run|surfaces\/terminal|adapters\/stores\/files)\//,
  minShareCount: 6,
}

/**
 * Writes dist/<name>.js for each program and each exported module, and the code that they share or load late into dist/chunks.
 * Packages are included, because loading their files would dominate the time of a short command. Returns the paths of the bundled modules.
 */
export async function bundle(root: string, exported: readonly string[]): Promise<string[]> {
  const names = [...programs, ...exported]
  const bundler = await rolldown({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform: 'node',
    // Takes the ES module where a package without `exports` has both: jsonc-parser's UMD file hides its imports from bundlers.
    resolve: { mainFields: ['module', 'main'] },
    // Otherwise a missing package would stay an import and fail on the user's machine.
    onLog: (_level, log) => {
      throw new Error(log.message)
    },
  })
  try {
    const { output } = await bundler.write({
      dir: join(root, 'dist'),
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: { groups: [shared] },
      comments: false,
      // Keep names of functions and classes, because stack traces print them.
      minify: { compress: { keepNames: { function: true, class: true } }, mangle: { keepNames: true }, codegen: true },
    })
    return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []))
  } finally {
    await bundler.close()
  }
}
