import { hashOf, matchesSelector, ownedBy, type KubeObject, type Stored } from 'opsdk';
import type { RBACBinding, RBACDefinition } from '../api/access/v1alpha1/rbac-definition.ts';

type RoleReference = {
  readonly apiGroup: string;
  readonly kind: 'Role' | 'ClusterRole';
  readonly name: string;
};

/** A RoleBinding, or a ClusterRoleBinding if it has no namespace. */
export interface DesiredBinding {
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly roleRef: RoleReference;
  readonly subjects: readonly { apiGroup?: string; kind: string; name: string; namespace?: string }[];
}

const rbacGroup = 'rbac.authorization.k8s.io';

/**
 * All bindings that a definition asks for, in the order in which it names them; one that it asks for twice is there once.
 *
 * @returns also the namespaces that it names and that do not exist
 */
export function desiredBindings(
  definition: RBACDefinition,
  namespaces: readonly KubeObject[],
): { readonly bindings: readonly DesiredBinding[]; readonly missing: readonly string[] } {
  const usable = namespaces.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const names = new Set(usable.map(nameOf));
  const bindings = new Map<string, DesiredBinding>();
  const missing = new Set<string>();
  const add = (binding: RBACBinding, roleRef: RoleReference, namespace?: string): void => {
    // The role of a binding is immutable: another role is another object, and so has another name. The hash has all parts, since `a` with
    // `b-c` reads as `a-b` with `c`.
    const parts = [definition.metadata.name, binding.name];
    const name = [...parts, hashOf([...parts, roleRef])].join('-');
    const subjects = binding.subjects.map((subject) =>
      subject.kind === 'ServiceAccount' ? subject : { ...subject, apiGroup: rbacGroup },
    );
    bindings.set(`${namespace ?? ''}/${name}`, { namespace, name, roleRef, subjects });
  };
  for (const binding of definition.spec.rbacBindings) {
    for (const { clusterRole } of binding.clusterRoleBindings ?? [])
      add(binding, { apiGroup: rbacGroup, kind: 'ClusterRole', name: clusterRole });
    for (const { role, clusterRole, namespace, namespaceSelector } of binding.roleBindings ?? []) {
      const roleRef: RoleReference =
        role === undefined
          ? { apiGroup: rbacGroup, kind: 'ClusterRole', name: clusterRole ?? '' }
          : { apiGroup: rbacGroup, kind: 'Role', name: role };
      if (namespace !== undefined && !names.has(namespace)) missing.add(namespace);
      const selected =
        namespaceSelector === undefined
          ? [namespace ?? ''].filter((each) => names.has(each))
          : usable.filter(({ metadata }) => matchesSelector(namespaceSelector, metadata.labels)).map(nameOf);
      for (const each of selected) add(binding, roleRef, each);
    }
  }
  return { bindings: [...bindings.values()], missing: [...missing] };
}

/** The object of a binding. The garbage collector deletes it with its definition. */
export function bindingObject(definition: Stored<RBACDefinition>, binding: DesiredBinding) {
  const { namespace, name, roleRef, subjects } = binding;
  const labels = { 'app.kubernetes.io/managed-by': 'rbac-manager' };
  return { metadata: { ...ownedBy(definition), namespace, name, labels }, roleRef, subjects: [...subjects] };
}

function nameOf({ metadata }: KubeObject): string {
  return metadata.name;
}
