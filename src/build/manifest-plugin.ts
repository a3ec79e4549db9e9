import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'esbuild';
import type { CheckedManifest } from './check-manifests.ts';
import { inlineManifests, type Splice } from './inline-manifests.ts';

/**
 * Hands source files with `loadManifest` calls to esbuild with the manifests in place of their paths.
 * @param manifests asked at the start of each build
 */
export function manifestPlugin(manifests: () => readonly CheckedManifest[]): Plugin {
  return {
    name: 'opsdk-manifests',
    setup(build) {
      let splices: ReadonlyMap<string, readonly Splice[]> = new Map();
      build.onStart(() => {
        splices = splicesOf(manifests());
      });
      build.onLoad({ filter: /\.[cm]?tsx?$/, namespace: 'file' }, (file) => {
        const inFile = splices.get(file.path);
        if (inFile === undefined) return undefined;
        // The compiler counts positions without a byte order mark.
        const text = readFileSync(file.path, 'utf8').replace(/^\uFEFF/, '');
        const contents = inlineManifests(text, path.basename(file.path), inFile);
        return { contents, loader: 'ts' };
      });
    },
  };
}

/** What to splice into which file; files by their real paths. */
function splicesOf(manifests: readonly CheckedManifest[]): ReadonlyMap<string, readonly Splice[]> {
  const splices = new Map<string, Splice[]>();
  for (const { call, value } of manifests) {
    if (call.range === undefined) continue;
    const file = realpathSync(call.file);
    splices.set(file, [...(splices.get(file) ?? []), { ...call.range, value }]);
  }
  return splices;
}
