import type { CrdDocument } from '../../../kubernetes/crd/index.ts';
import { subdomainProblems } from '../objects/names.ts';
import { objectMetaSchema } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import type { ServedKind } from './served-kind.ts';

/** The kinds that a CRD declares, one for each version that is served. */
export function customKinds({ spec }: CrdDocument): readonly ServedKind[] {
  const { group, scope, names, versions } = spec;
  return versions
    .filter(({ served }) => served)
    .map(({ name: version, schema, subresources, selectableFields = [] }) => {
      const { scale } = subresources ?? {};
      const root = schema.openAPIV3Schema as Schema;
      return {
        group,
        version,
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        listKind: names.listKind ?? `${names.kind}List`,
        plural: names.plural,
        namespaced: scope === 'Namespaced',
        schema: {
          ...root,
          properties: {
            ...root.properties,
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: objectMetaSchema,
          },
        },
        hasStatus: subresources?.status !== undefined,
        scale:
          scale === undefined
            ? undefined
            : {
                spec: scale.specReplicasPath.replace(/^\./, ''),
                status: scale.statusReplicasPath.replace(/^\./, ''),
                selector: scale.labelSelectorPath?.replace(/^\./, ''),
              },
        nameRule: subdomainProblems,
        selectableFields: selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
        builtIn: undefined,
      };
    });
}
