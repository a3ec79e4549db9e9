import type { Finding } from '../../base/errors/index.ts';
import type { FieldDescriptor } from '../schema/index.ts';
import { collectRules } from './collect-rules.ts';
import { isNamespaced, readKinds, throwUnique, type ManifestOptions } from './generate-manifests.ts';
import { resourcesOf, type KindResource } from './kind-resources.ts';
import { uniqueFindings } from './unique-findings.ts';

/** Description of one version of a kind beside its CRD, for those who choose and use operators. */
export interface KindDescription {
  /** The name of the CRD. */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  /** From `@displayName`. */
  readonly displayName?: string;
  readonly resources: readonly KindResource[];
  readonly specDescriptors: readonly FieldDescriptor[];
  readonly statusDescriptors: readonly FieldDescriptor[];
}

interface DescribedKinds {
  readonly kinds: readonly KindDescription[];
  readonly warnings: readonly Finding[];
}

/**
 * The kinds of a project as OLM describes them. Reads files and writes none.
 * @throws OpSdkError with everything that is wrong in all files, as `generateManifests`
 */
export function describeKinds(options: ManifestOptions): DescribedKinds {
  const { kinds, warnings, program, declared, findings } = readKinds(options);
  const rules = collectRules(findings, program, declared, kinds, isNamespaced(options));
  throwUnique(findings);
  const resources = resourcesOf(program, declared, rules.used);
  return {
    kinds: kinds.flatMap(({ versions }) =>
      versions.map(({ group, version, kind, plural, scope, descriptors }): KindDescription => {
        const token = {
          group: group.value,
          version: version.value,
          kind: kind.value,
          plural: plural.value,
          namespaced: scope.value === 'Namespaced',
        };
        const { displayName, spec = [], status = [] } = descriptors ?? {};
        return {
          name: `${token.plural}.${token.group}`,
          kind: token.kind,
          version: token.version,
          ...(displayName === undefined ? {} : { displayName }),
          resources: resources(token),
          specDescriptors: spec,
          statusDescriptors: status,
        };
      }),
    ),
    warnings: uniqueFindings(warnings),
  };
}
