import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { configsLabel, judgeCatalog, noPackages } from '../../../olm/catalog/index.ts';
import type { ImageContent } from '../../../images/index.ts';
import { imageLabels } from '../../../images/unpack-image.ts';
import { unpackCatalog } from './open-source.ts';

/**
 * Refuses to push the image of a catalogue that offers nothing, whoever built it.
 * @throws OpSdkError `catalog/empty`
 */
export async function refuseWithoutPackages(content: ImageContent, name: string): Promise<void> {
  const configs = (await imageLabels(content, name))[configsLabel];
  if (configs === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), 'op-sdk-catalog-'));
  try {
    const path = posix.join(folder, await unpackCatalog(content, { name, configs }, folder));
    const { catalog, warnings } = await judgeCatalog({ path, shown: name });
    if (catalog.packages.length === 0) throw noPackages(name, warnings);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
