import type { ErrorCode, Finding } from '../../../base/errors/index.ts';
import type { NeededRule } from './needed-rule.ts';

const writes = ['create', 'update', 'patch', '*'];

/** Verb that each kind of grant needs beside the permissions that are granted. Source: Kubernetes "Privilege escalation prevention and bootstrapping". */
const grants: Readonly<Record<string, { readonly verb: string; readonly on: readonly string[] }>> = {
  roles: { verb: 'escalate', on: ['roles'] },
  clusterroles: { verb: 'escalate', on: ['clusterroles'] },
  rolebindings: { verb: 'bind', on: ['roles', 'clusterroles'] },
  clusterrolebindings: { verb: 'bind', on: ['clusterroles'] },
};

/**
 * Permissions that deserve a second look.
 * @param namespaced whether the operator works in its own namespaces only
 * @param allows whether an `@allow` of the sources covers a rule that would be reported
 */
export function lintPermissions(
  rules: readonly NeededRule[],
  namespaced: boolean,
  allows: (code: ErrorCode, rule: NeededRule) => boolean,
): readonly Finding[] {
  const secrets = namespaced
    ? []
    : rules.filter((rule) => readsAllSecrets(rule) && !allows('manifests/reads-all-secrets', rule));
  return [
    ...secrets.slice(0, 1).map(allSecrets),
    ...[...new Set(rules.flatMap(({ namespace }) => namespace ?? []))].flatMap((name) =>
      ofNamespace(rules, name, allows),
    ),
    ...Object.keys(grants).flatMap((resource) => granted(rules, resource, allows)),
  ];
}

type Allows = Parameters<typeof lintPermissions>[2];

function readsAllSecrets({ apiGroups, resources, resourceNames, namespace, verbs }: NeededRule): boolean {
  return (
    namespace === undefined &&
    resourceNames === undefined &&
    (apiGroups ?? []).includes('') &&
    (resources ?? []).includes('secrets') &&
    verbs.some((verb) => ['list', 'watch', '*'].includes(verb))
  );
}

function allSecrets({ places: [where] }: NeededRule): Finding {
  return {
    code: 'manifests/reads-all-secrets',
    message: 'the operator may read the Secrets of all namespaces',
    ...(where === undefined ? {} : { where }),
    fix: [
      'read single Secrets: client.live.get(Secret, key), with `get` alone',
      'or limit the operator to its own namespaces',
      'or, if it is meant, say why above this line or its controller: /** @allow manifests/reads-all-secrets … */',
    ],
  };
}

/** A Role of one namespace: the kustomization of the scaffold can neither place nor bind it. */
function ofNamespace(rules: readonly NeededRule[], namespace: string, allows: Allows): readonly Finding[] {
  const ofRole = rules.filter((rule) => rule.namespace === namespace);
  // It is one Role: a reason above any of its rules is about all of it.
  if (ofRole.filter((rule) => allows('manifests/role-namespace', rule)).length > 0) return [];
  const where = ofRole[0]?.places[0];
  return [
    {
      code: 'manifests/role-namespace',
      message: `config/default puts every object into the namespace of the operator, the Role manager-role-${namespace} for ${namespace} too, and nothing binds it`,
      ...(where === undefined ? {} : { where }),
      fix: [
        `apply this Role and a RoleBinding in ${namespace} by a kustomization of its own`,
        'or remove `namespace` from the rule: the operator may then do the same wherever it works',
      ],
    },
  ];
}

/** Warns if the operator writes roles or bindings without the verb that lets it grant permissions that it does not have. */
function granted(rules: readonly NeededRule[], resource: string, allows: Allows): readonly Finding[] {
  const group = 'rbac.authorization.k8s.io';
  const of = (rule: NeededRule, name: string, verbs: readonly string[]): boolean =>
    (rule.apiGroups ?? []).some((each) => each === group || each === '*') &&
    (rule.resources ?? []).some((each) => each === name || each === '*') &&
    rule.verbs.some((verb) => verbs.includes(verb));
  const needed = grants[resource];
  const writers = rules.filter((rule) => of(rule, resource, writes));
  if (writers.length === 0 || needed === undefined) return [];
  const { verb, on } = needed;
  if (rules.some((rule) => on.some((name) => of(rule, name, [verb, '*'])))) return [];
  const [writer] = writers.filter((rule) => !allows('manifests/grants-permissions', rule));
  if (writer === undefined) return [];
  const [where] = writer.places;
  const names = on.map((name) => `'${name}'`).join(', ');
  return [
    {
      code: 'manifests/grants-permissions',
      message: `the operator writes ${resource}: the API server refuses those that grant more than the operator may do itself`,
      ...(where === undefined ? {} : { where }),
      fix: [
        'add the permissions that it grants to `rbac`',
        `or let it grant any: { groups: ['${group}'], resources: [${names}], verbs: ['${verb}'] }`,
      ],
    },
  ];
}
