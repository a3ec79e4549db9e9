import { bundleProgram } from '../bed/bundle-program.ts';
import type { ClusterBed } from '../bed/cluster-bed.ts';
import { pushLayerImage } from '../bed/layer-image.ts';

/** The programs that the releases of OLM start: in `/bin` for v0, in `/` for v1. */
const programs = ['bin/olm', 'bin/catalog', 'catalogd', 'operator-controller'];

/** Pushes an image with what stands for the programs of OLM. @param repository such as `operator-framework/olm:v1` */
export async function pushOlmImage({ registry, base }: ClusterBed, repository: string): Promise<void> {
  const content = await bundleProgram(new URL('program.ts', import.meta.url));
  await pushLayerImage({
    reference: `${registry}/${repository}`,
    files: programs.map((path) => ({ path, content, mode: 0o755 })),
    config: { User: '65532:65532' },
    base,
  });
}
