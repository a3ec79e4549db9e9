// Compiles src/ to dist/, and bundles the command line there. The new tree replaces the old one in one step, so that whoever runs from dist/ never sees half of it.
import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forgetBuild, recordBuild, sourceHash } from './lib/build-record.mjs';
import { bundleCli } from './lib/bundle-cli.mjs';
import { importDirectly } from './lib/direct-imports.mjs';
import { must, root } from './lib/run.mjs';
import { stripDocs } from './lib/strip-docs.mjs';

/** tsc turns `./x.ts` into `./x.js`, but overlooks an import() in a function that it rewrites for `await using`. */
function refuseSourceImports(folder) {
  const ts = createRequire(import.meta.url)('typescript');
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.js')) continue;
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, name), 'utf8'), true, true);
    const source = importedFiles.find(({ fileName }) => fileName.startsWith('.') && fileName.endsWith('.ts'));
    if (source === undefined) continue;
    throw new Error(`dist/${name} imports ${source.fileName}: move the import() into a function of its own`);
  }
}

/** Bundles the package `create-opsdk` into its own folder; what it depends on stays outside. */
async function bundleCreate() {
  const { build } = createRequire(import.meta.url)('esbuild');
  const folder = join(root, 'create-opsdk');
  await build({
    entryPoints: [join(folder, 'src', 'main.ts')],
    outfile: join(folder, 'dist', 'main.js'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
  });
}

const dist = join(root, 'dist');
const fresh = join(root, 'node_modules', '.cache', `dist-${process.pid}`);
const old = `${fresh}-old`;
try {
  forgetBuild();
  const hash = sourceHash();
  await must(process.execPath, [
    join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
    '--outDir',
    fresh,
  ]);
  refuseSourceImports(fresh);
  importDirectly(fresh);
  stripDocs(fresh);
  await bundleCli(fresh);
  await bundleCreate();
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
  recordBuild(hash);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(fresh, { recursive: true, force: true });
  rmSync(old, { recursive: true, force: true });
}
