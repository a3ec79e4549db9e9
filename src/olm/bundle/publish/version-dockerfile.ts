import { join, posix } from 'node:path';
import { bundleDockerfileText } from '../../../project/scaffold/sets/bundle.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { asBundleAnnotation, bundleFolders, isImageLabel } from '../metadata.ts';
import type { BundleMetadata } from '../read-metadata.ts';

/**
 * `bundle.Dockerfile` for the folder of a version, from where it builds the image of the bundle. The catalogue takes one of its own.
 * Undefined for what the template does not describe: other folders, annotations that cannot be labels.
 * @param folder of the bundle, absolute
 * @param projectRoot absolute; for the project's own template
 */
export async function versionDockerfile(
  folder: string,
  { annotations, manifests }: BundleMetadata,
  projectRoot: string,
): Promise<string | undefined> {
  const labels = Object.entries(annotations).map(([key, value]) => asBundleAnnotation(key, value));
  if (!labels.every(({ key, value }) => isImageLabel(key, value))) return undefined;
  if (!isSameFolder(manifests, bundleFolders.manifests)) return undefined;
  if (labels.some(({ section }) => section === 'test')) {
    const tests = annotations['operators.operatorframework.io.test.config.v1'] ?? '';
    const isThere = await pathExists(join(folder, bundleFolders.scorecard));
    if (!isThere || !isSameFolder(tests, bundleFolders.scorecard)) return undefined;
  }
  return bundleDockerfileText(labels, '.', projectRoot);
}

function isSameFolder(a: string, b: string): boolean {
  return posix.join(a, '/') === posix.join(b, '/');
}
