import { readdir } from 'node:fs/promises';
import { readBundleMetadata, type BundleMetadata } from '../../../olm/bundle/read-metadata.ts';
import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { createLayer, folderEntries, type Layer, type Place } from '../../../images/index.ts';
import { isLeftover } from '../../../base/util/leftovers.ts';

/** Layer of a bundle's folder. */
export interface BundleLayer {
  readonly metadata: BundleMetadata;
  readonly layer: Layer;
  readonly warnings: readonly Finding[];
}

/**
 * Reads what of a bundle's folder belongs into its image.
 * @returns undefined after findings
 */
export async function bundleLayer(folder: Place, findings: FindingList): Promise<BundleLayer | undefined> {
  const metadata = await findings.gather(() => readBundleMetadata(folder.path, folder.shown));
  if (metadata === undefined) return undefined;
  const { manifests, folders } = metadata;
  const entries = await folderEntries(folder, folders, findings);
  if (!entries.some(({ path, content }) => path.startsWith(`${manifests}/`) && content !== undefined)) {
    findings.add({
      code: 'bundle/empty',
      message: `${folder.shown}/${manifests} has no files, so the bundle would install nothing`,
      where: { file: `${folder.shown}/${manifests}` },
      fix: ['create the bundle with `op-sdk generate bundle`'],
    });
  }
  if (!findings.isEmpty) return undefined;
  return {
    metadata,
    layer: createLayer(entries, 'op-sdk bundle build'),
    warnings: [...metadata.warnings, ...(await leftOut(folder, folders))],
  };
}

/** Warns of files in the folder that are not in the image, as bundle.Dockerfile would leave it out, too. */
async function leftOut(folder: Place, folders: readonly string[]): Promise<readonly Finding[]> {
  const names = (await readdir(folder.path)).sort();
  return names
    .filter(
      (name) => !isLeftover(name) && !folders.some((path) => path === name || path.startsWith(`${name}/`)),
    )
    .map((name) => ({
      code: 'oci/left-out',
      message: `${folder.shown}/${name} is not part of the image, which holds ${folders.join(', ')} only`,
      where: { file: `${folder.shown}/${name}` },
      fix: ['move it out of the bundle if it does not belong there'],
    }));
}
