import { mapOf } from './fields.ts';
import type { LoadedBundle, PlacedDocument, BundleObject, Complain } from './types.ts';

const prefix = 'operators.operatorframework.io.bundle.';

/** Keys of the annotations in `metadata/annotations.yaml` that OLM reads. */
export const annotationKeys = {
  mediaType: `${prefix}mediatype.v1`,
  manifests: `${prefix}manifests.v1`,
  metadata: `${prefix}metadata.v1`,
  package: `${prefix}package.v1`,
  channels: `${prefix}channels.v1`,
  defaultChannel: `${prefix}channel.default.v1`,
} as const;

/**
 * Returns the text of an annotation as Go reads it: other scalars are converted to text. Returns undefined if the annotation is missing.
 */
export function annotationOf(
  { annotations }: Pick<LoadedBundle, 'annotations'>,
  key: string,
): string | undefined {
  return annotations === undefined ? undefined : annotationIn(annotations, key);
}

/** Like {@link annotationOf}, but reads the annotation from a given file of `metadata/`. */
export function annotationIn(file: PlacedDocument, key: string): string | undefined {
  return annotationText(mapOf(file.value['annotations'])[key]);
}

/** Returns the text that Go reads for a value; undefined if the value is not a scalar. */
export function annotationText(value: unknown): string | undefined {
  if (value === null) return '';
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : undefined;
}

/**
 * Annotation keys whose case matters: OLM ignores these annotations if the key is in any other case. Source: operator-framework/api
 * `annotations.go`.
 */
const caseSensitive = [
  'olm.operatorGroup',
  'olm.operatorNamespace',
  'olm.targetNamespaces',
  'olm.providedAPIs',
  'olm.skipRange',
];

interface NamesReport {
  readonly error: Complain<'bundle/annotation-case'>;
  readonly warn: Complain<'bundle/properties-annotation'>;
}

/** Reports wrong names of annotations that OLM reads from ClusterServiceVersions and OperatorGroups. */
export function reportAnnotationNames(object: BundleObject, { error, warn }: NamesReport): void {
  for (const key of Object.keys(mapOf(mapOf(object.value['metadata'])['annotations']))) {
    const path = ['metadata', 'annotations', key];
    const right = caseSensitive.find((known) => known.toLowerCase() === key.toLowerCase());
    if (right !== undefined && right !== key)
      error(
        'bundle/annotation-case',
        [object, path],
        `the annotation ${key} is written in another case than OLM looks for`,
        `write ${right}`,
      );
    if (key === 'olm.properties') {
      const message =
        'properties are in the annotation olm.properties, which is outdated; expected them in metadata/properties.yaml';
      warn('bundle/properties-annotation', [object, path], message, 'move them to metadata/properties.yaml');
    }
  }
}
