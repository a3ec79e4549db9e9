import type { BuildMetadata } from '../load/kustomization.ts';
import { isObject, type JsonObject, type Resource } from '../resource.ts';
import { isBare, printBare } from '../written-values.ts';

import { originMark, transformationsMark } from './origins.ts';

/** Annotations with which tools of kustomize's family mark what they work on; it takes them out at the end. */
const always = ['config.kubernetes.io/index', 'config.kubernetes.io/path', 'config.k8s.io/id'] as const;

const local = 'config.kubernetes.io/local-config';

/** Takes out resources that are for tools only, and annotations of tools; empty annotations go, too, as in kustomize. */
export function finish(
  resources: readonly Resource[],
  buildMetadata: readonly BuildMetadata[],
): readonly Resource[] {
  const marks = [
    ...always,
    ...(buildMetadata.includes('originAnnotations') ? [] : [originMark]),
    ...(buildMetadata.includes('transformerAnnotations') ? [] : [transformationsMark]),
  ];
  const kept = resources.filter((resource) => {
    const mark = annotationsOf(resource)?.[local];
    return mark === undefined || mark === 'false';
  });
  for (const resource of kept) {
    const { metadata } = resource.object;
    const annotations = annotationsOf(resource) ?? {};
    for (const mark of marks) delete annotations[mark];
    for (const [key, value] of Object.entries(annotations)) {
      // Replacements copy numbers, too, but an annotation is text.
      if (value === null) annotations[key] = isBare(annotations, key) ? '' : 'null';
      else if (typeof value === 'number' || typeof value === 'boolean') annotations[key] = String(value);
    }
    if (isObject(metadata) && Object.keys(annotations).length === 0) delete metadata['annotations'];
    printBare(resource.object);
  }
  return kept;
}

function annotationsOf({ object: { metadata } }: Resource): JsonObject | undefined {
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations : undefined;
}
