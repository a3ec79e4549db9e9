import { OpSdkError } from '../../../base/errors/index.ts';
import { readDefinitions, storageLosses } from '../../../kubernetes/crd/diff/index.ts';
import type { ManifestFile } from '../../../compiler/manifests/index.ts';
import { fullGroup, type ProjectResource } from '../../../project/project/index.ts';

/**
 * Refuses to move the storage version to one that lacks fields which stored objects may have, unless a webhook converts.
 * @param documents the manifests as they will be
 * @param from the version that objects are stored in now
 * @throws OpSdkError `project/storage-loses-fields`
 */
export function checkStorageLoss(
  documents: readonly ManifestFile[],
  resource: ProjectResource & { readonly path: string },
  from: string,
): void {
  const name = `${resource.plural}.${fullGroup(resource)}`;
  const placed = documents
    .filter(({ template }) => template === 'crd')
    .map(({ document, path }) => ({ value: document, locate: () => ({ file: path }) }));
  const definition = readDefinitions(placed, 'old').definitions.find((each) => each.name === name);
  const lost = definition === undefined ? [] : storageLosses(definition, from, resource.version);
  if (lost.length === 0) return;
  throw new OpSdkError({
    code: 'project/storage-loses-fields',
    message: `stored objects of ${resource.kind} would lose ${lost.join(', ')}: ${from} has these fields, ${resource.version} does not, and no conversion is declared`,
    where: { file: resource.path },
    fix: [
      `add the fields to ${resource.version}`,
      'move the storage version nevertheless with --force; what stored objects have in these fields is then lost',
    ],
  });
}
