import { mapOf } from './fields.ts';
import type { BundleObject, Complain } from './types.ts';

/** OLM keeps these keys apart by case; another case is not found. Source: operator-framework/api `annotations.go`. */
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

/** Reports faults in the names of annotations, of ClusterServiceVersions and of OperatorGroups. */
export function reportAnnotationNames(object: BundleObject, { error, warn }: NamesReport): void {
  for (const key of Object.keys(mapOf(mapOf(object.value['metadata'])['annotations']))) {
    const path = ['metadata', 'annotations', key];
    const right = caseSensitive.find((known) => known.toLowerCase() === key.toLowerCase());
    if (right !== undefined && right !== key)
      error(
        'bundle/annotation-case',
        [object, path],
        `OLM does not find the annotation ${key}`,
        `write ${right}`,
      );
    if (key === 'olm.properties') {
      const message = 'the annotation olm.properties is the old place of properties';
      warn('bundle/properties-annotation', [object, path], message, 'move them to metadata/properties.yaml');
    }
  }
}
