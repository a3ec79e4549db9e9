import type { FindingList } from '../../base/errors/index.ts';
import { describeId } from './ids.ts';
import { idOf, isObject, type Resource } from './resource.ts';

/** The annotations by which kustomize remembers things during a build. */
export const internalAnnotations = 'internal.config.kubernetes.io/';

/** Returns true if kustomize would keep internal annotations on a resource: its name gets a hash, or it had other names before. */
export function hasInternalAnnotations({ isHashed, previousIds }: Resource): boolean {
  return isHashed || previousIds.length > 0;
}

/** Refuses those that generators, annotations of a kustomization, patches or replacements have set: kustomize would believe them. */
export function refuseInternalAnnotations(resources: readonly Resource[], findings: FindingList): void {
  for (const resource of resources) {
    const { metadata } = resource.object;
    const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
    for (const key of Object.keys(isObject(annotations) ? annotations : {})) {
      if (!key.startsWith(internalAnnotations)) continue;
      findings.add({
        code: 'kustomize/invalid-resource',
        message: `${describeId(idOf(resource))} is given the annotation ${key}, which kustomize uses inside itself`,
        where: resource.where,
        fix: ['remove it from the generator, the annotations or the patch that sets it'],
      });
    }
  }
}
