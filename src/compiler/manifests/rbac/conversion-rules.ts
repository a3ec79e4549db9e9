import type { ManifestDocument } from '../manifest-document.ts';
import type { CustomKind } from '../crd/check-group.ts';
import type { NeededRule } from './needed-rule.ts';

/**
 * The rules of conversions: they read the stored object, whose status counts in the place of what a client sends.
 * @param kinds of the project
 */
export function conversionRules(kinds: readonly CustomKind[]): readonly NeededRule[] {
  return kinds.flatMap(({ conversion, storage }) =>
    conversion?.isDeclared !== true
      ? []
      : [
          {
            apiGroups: [storage.group.value],
            resources: [storage.plural.value],
            verbs: ['get'],
            namespaced: storage.scope.value !== 'Cluster',
            places: [conversion.place],
            origin: 'declaration' as const,
            by: 'defineConversion',
          },
        ],
  );
}

/**
 * The Role for the Secret with the key that signs the data of conversions, and its binding to the ServiceAccount of the scaffold. The Secret is
 * in the namespace of the operator, wherever kustomize or OLM puts that, and has the name that the operator gives it.
 */
export function conversionKeyRole(projectName: string): readonly ManifestDocument[] {
  const name = 'conversion-key-role';
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const secrets = { apiGroups: [''], resources: ['secrets'] };
  return [
    {
      apiVersion,
      kind: 'Role',
      metadata: { name },
      rules: [
        { ...secrets, verbs: ['create'] },
        {
          ...secrets,
          resourceNames: [`${projectName}-conversion-key`],
          verbs: ['get', 'list', 'update', 'watch'],
        },
      ],
    },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: { name: 'conversion-key-rolebinding' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
      subjects: [{ kind: 'ServiceAccount', name: 'controller-manager', namespace: 'system' }],
    },
  ];
}
