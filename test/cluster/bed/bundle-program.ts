import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles a module of ours into one file that an image with Node runs as a program, whatever its name is. */
export async function bundleProgram(module: URL): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(module)],
    bundle: true,
    platform: 'node',
    // Without the end of a name that says what it is.
    format: 'cjs',
    target: 'node20',
    banner: { js: '#!/usr/local/bin/node' },
    write: false,
  });
  const content = outputFiles[0]?.contents;
  if (content === undefined) throw new Error('esbuild wrote nothing');
  return content;
}
