import { expect } from 'vitest';
import { demoBundle } from './demo-bundle.ts';
import type { Site } from './site.ts';

/** The image that serves catalogues in these tests; it is never pulled. */
export const indexImage = 'quay.io/operator-framework/opm:latest';

/** Pushes a bundle as somebody else would have. @returns its image */
export async function pushBundle(
  site: Site,
  name: string,
  version: string,
  tag = `v${version}`,
): Promise<string> {
  const folder = site.folderOf(demoBundle(name, version));
  const image = `${site.registry.host}/team/${name}:${tag}`;
  for (const argv of [
    ['bundle', 'build', folder, '--tag', image, '--to', `oci:${folder}/../dist`],
    ['bundle', 'push', image, '--from', `oci:${folder}/../dist`],
  ]) {
    const { code, stderr } = await site.cli(argv);
    expect(code, stderr).toBe(0);
  }
  return image;
}

/** The name of the Pod for the catalogue of a bundle's image. */
export const podName = (image: string): string => image.replace(/[^a-z0-9]+/g, '-');
