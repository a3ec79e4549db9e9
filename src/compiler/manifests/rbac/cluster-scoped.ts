import type { Finding } from '../../../base/errors/index.ts';
import type { TokenInfo } from '../../schema/index.ts';
import { builtInResources } from './generated/built-in-resources.ts';
import type { NeededRule } from './needed-rule.ts';

/** Where the objects of a resource are; `both` for a `*` that means resources of both kinds, `unknown` for what nobody declares. */
export type Scope = 'namespaced' | 'cluster' | 'both' | 'unknown';

/** Where the objects of a resource are. Group and plural may be `*`. */
export type ScopeOf = (group: string, plural: string) => Scope;

type Known = Pick<TokenInfo, 'group' | 'plural' | 'namespaced'>;

/** Resources of RBAC that no API serves. Source: Kubernetes docs "User impersonation" and "Certificates and Certificate Signing Requests". */
const virtual: readonly Known[] = [
  { group: '', plural: 'users', namespaced: false },
  { group: '', plural: 'groups', namespaced: false },
  { group: 'authentication.k8s.io', plural: 'uids', namespaced: false },
  { group: 'authentication.k8s.io', plural: 'userextras', namespaced: false },
  { group: 'certificates.k8s.io', plural: 'signers', namespaced: false },
];

const builtIn: readonly Known[] = Object.entries(builtInResources).flatMap(([group, plurals]) =>
  Object.entries(plurals).map(([plural, namespaced]) => ({ group, plural, namespaced })),
);

/**
 * Judges resources by kinds that are known, and by the built-in ones.
 * @param declared the kinds of the project: all of their groups
 * @param others kinds of groups that may have more
 */
export function scopesOf(declared: readonly Known[], others: readonly Known[]): ScopeOf {
  const known = [...declared, ...others, ...builtIn];
  const whole = new Set([...declared.map(({ group }) => group), ...Object.keys(builtInResources)]);
  const ofProject = new Set(declared.map(({ group }) => group));
  return (group, plural) => {
    if (plural === '*') {
      const scopes = new Set(known.filter((each) => each.group === group).map((each) => each.namespaced));
      if (!whole.has(group) || scopes.size > 1) return 'both';
      return scopes.has(true) ? 'namespaced' : 'cluster';
    }
    const found = [...known, ...virtual].filter(
      (each) => each.plural === plural && (group === '*' || each.group === group),
    );
    if (found.some(({ namespaced }) => !namespaced)) return 'cluster';
    // A plural that its own project does not have is reported as that.
    return found.length > 0 || ofProject.has(group) ? 'namespaced' : 'unknown';
  };
}

/**
 * The same rules, each of kinds in namespaces, of others, or of both: what is written by hand does not say it.
 * What nobody knows is taken for a resource of namespaces, as most are.
 */
export function withScopes(rules: readonly NeededRule[], scopeOf: ScopeOf): readonly NeededRule[] {
  return rules.flatMap((rule): readonly NeededRule[] => {
    const { apiGroups, resources } = rule;
    if (rule.namespaced !== undefined || apiGroups === undefined || resources === undefined) return [rule];
    // A Role cannot give the one, and a ClusterRole would widen the other.
    return apiGroups.flatMap((group) =>
      resources.map((resource) => {
        const scope = scopeOf(group, pluralOf(resource));
        const only = { ...rule, apiGroups: [group], resources: [resource] };
        return scope === 'both' ? only : { ...only, namespaced: scope !== 'cluster' };
      }),
    );
  });
}

/** `manifests/unknown-scope` for rules by hand of a namespaced operator, which need to be in the right one of its two roles. */
export function unknownScopes(rules: readonly NeededRule[], scopeOf: ScopeOf): readonly Finding[] {
  const byHand = rules.filter(
    ({ namespaced, namespace }) => namespaced === undefined && namespace === undefined,
  );
  return byHand.flatMap(({ apiGroups = [], resources = [], places: [where] }) =>
    apiGroups.flatMap((group) =>
      resources
        .filter((resource) => scopeOf(group, pluralOf(resource)) === 'unknown')
        .map((resource): Finding => {
          const name = group === '' ? resource : `${resource} of ${group}`;
          return {
            code: 'manifests/unknown-scope',
            message: `expected a resource that Kubernetes or the project declares, got ${name}: it is taken for a resource of namespaces, and the Role of the operator gets it`,
            ...(where === undefined ? {} : { where }),
            fix: [
              'if it is cluster-scoped, write it into a ClusterRole of your own in config/rbac, with a ClusterRoleBinding',
            ],
          };
        }),
    ),
  );
}

function pluralOf(resource: string): string {
  return resource.split('/', 1)[0] ?? '';
}
