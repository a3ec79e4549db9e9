import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { pushLayerImage } from '../bed/layer-image.ts';

/** The programs that the releases of OLM start: in `/bin` for v0, in `/` for v1. */
const programs = ['bin/olm', 'bin/catalog', 'catalogd', 'operator-controller'];

/** Pushes an image with what stands for the programs of OLM. @param repository such as `operator-framework/olm:v1` */
export async function pushOlmImage({ registry, base }: ClusterBed, repository: string): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('program.ts', import.meta.url))],
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
  await pushLayerImage({
    reference: `${registry}/${repository}`,
    files: programs.map((path) => ({ path, content, mode: 0o755 })),
    config: { User: '65532:65532' },
    base,
  });
}
