import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import type { CheckedManifest } from './check-manifests.ts';
import { inlineManifests, jsonLiteral, type Splice } from './inline-manifests.ts';
import type { LibrarySchemas } from './library-schemas.ts';

/** Sources that are bundled in another form than they were written. */
export interface ReplacedSources {
  readonly manifests: readonly CheckedManifest[];
  readonly schemas: LibrarySchemas;
}

/**
 * Hands source files with `loadManifest` calls to esbuild with the manifests in place of their paths, and those with schemas of libraries
 * without these.
 * @param replaced asked at the start of each build
 */
export function manifestPlugin(replaced: () => ReplacedSources): Plugin {
  return {
    name: 'opsdk-manifests',
    setup(build) {
      let splices: ReadonlyMap<string, readonly Splice[]> = new Map();
      let schemaModules: ReadonlySet<string> = new Set();
      build.onStart(() => {
        const { manifests, schemas } = replaced();
        splices = splicesOf(manifests, schemas);
        schemaModules = schemas.modules;
      });
      build.onLoad({ filter: /\.[cm]?tsx?$/, namespace: 'file' }, (file) => {
        const inFile = splices.get(file.path);
        if (inFile === undefined) return undefined;
        // The compiler counts positions without a byte order mark.
        const text = readFileSync(file.path, 'utf8').replace(/^\uFEFF/, '');
        const contents = inlineManifests(text, path.basename(file.path), inFile);
        return { contents, loader: 'ts' };
      });
      build.onResolve({ filter: /./ }, async ({ path: specifier, pluginData, ...from }) => {
        if (schemaModules.size === 0 || pluginData === resolving || from.kind === 'entry-point')
          return undefined;
        if (from.importer.includes('/node_modules/')) return undefined;
        const { importer, namespace, resolveDir, kind } = from;
        const found = await build.resolve(specifier, {
          importer,
          namespace,
          resolveDir,
          kind,
          pluginData: resolving,
        });
        // An import is kept for what its module does when it is loaded; a schema module does nothing.
        return found.errors.length === 0 && schemaModules.has(found.path)
          ? { ...found, sideEffects: false }
          : undefined;
      });
    },
  };
}

/** Marks that the plugin itself asks where an import leads. */
const resolving = Symbol('resolving');

/** Splices by file; files by their real paths. */
function splicesOf(
  manifests: readonly CheckedManifest[],
  schemas: LibrarySchemas,
): ReadonlyMap<string, readonly Splice[]> {
  const splices = new Map<string, Splice[]>();
  const add = (file: string, splice: Splice): unknown =>
    splices.set(file, [...(splices.get(file) ?? []), splice]);
  for (const { call, value } of manifests)
    if (call.range !== undefined) add(realpathSync(call.file), { ...call.range, text: jsonLiteral(value) });
  for (const { file, ...splice } of schemas.splices) add(file, splice);
  return splices;
}
