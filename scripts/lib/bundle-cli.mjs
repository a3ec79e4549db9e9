// Makes few files of the modules of the command line: loading some hundred modules takes longer than most of what they do.
import { readFile, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build } from 'esbuild';

/** Below dist/. All files of the bundle lie in it, side by side. */
export const cliFolder = 'op-sdk';

const moduleUrl = 'bundledModuleUrl';

/**
 * Bundles `cli/start.js` with all modules that it imports, now or later, into `op-sdk/`. Packages stay what they are, and so do large
 * tables, which the library also needs, and programs that are started or read as files.
 * @param dist absolute; the folder with the compiled modules
 */
export async function bundleCli(dist) {
  await rm(join(dist, cliFolder), { recursive: true, force: true });
  await build({
    absWorkingDir: dist,
    entryPoints: ['cli/start.js'],
    outdir: cliFolder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    define: { 'import.meta.url': moduleUrl },
    plugins: [tablesStay(dist), placeOfModules(dist)],
  });
}

const tablesStay = (dist) => ({
  name: 'tables-stay',
  setup(bundler) {
    bundler.onResolve({ filter: /\/generated\/[\w-]+\.js$/ }, ({ path, resolveDir }) => {
      const file = relative(dist, join(resolveDir, path)).split(sep).join('/');
      return file.startsWith('kubernetes/tables/generated/')
        ? { path: `../${file}`, external: true }
        : undefined;
    });
  },
});

/** Modules go on to find what lies beside them: for each, `import.meta.url` stays where it was compiled to. */
const placeOfModules = (dist) => ({
  name: 'place-of-modules',
  setup(bundler) {
    bundler.onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = JSON.stringify(`../${relative(dist, path).split(sep).join('/')}`);
      // In two steps, so that `define` does not see it.
      const declared = `const bundleMeta = import.meta, ${moduleUrl} = new URL(${place}, bundleMeta.url).href;`;
      return { contents: `${declared}${text}`, loader: 'js' };
    });
  },
});
