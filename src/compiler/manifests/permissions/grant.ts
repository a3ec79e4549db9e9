import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { PolicyRule } from '../rbac/needed-rule.ts';

/** Permission for one verb on one resource. Each part may be the `*` of RBAC. */
interface ResourceGrant {
  readonly type: 'resource';
  /** API group; `''` is the core group. */
  readonly group: string;
  /** Resource as a rule writes it: `deployments`, `deployments/status`, `*`, `*` + `/scale`. */
  readonly resource: string;
  /** Name of the only object that the grant covers. Default: all objects. */
  readonly name?: string;
  readonly verb: string;
}

/** Permission for one verb on a URL path that is not a resource. The path may end in `*`. */
interface UrlGrant {
  readonly type: 'url';
  readonly url: string;
  readonly verb: string;
}

/** Includes the rules of all ClusterRoles that a label selector matches, as an aggregated ClusterRole does. */
interface AggregateGrant {
  readonly type: 'aggregate';
  /** A label selector, as JSON with sorted keys. */
  readonly selector: string;
}

/** Binding of a role: the subject receives everything that the role grants. */
interface SubjectGrant {
  readonly type: 'subject';
  /** Kind and name of the role, for example `ClusterRole manager-role`. */
  readonly role: string;
  /** Kind, namespace and name of the subject, for example `ServiceAccount system/controller-manager`. */
  readonly subject: string;
}

/** Smallest part of an RBAC object that can be added or removed. */
export type Grant = ResourceGrant | UrlGrant | AggregateGrant | SubjectGrant;

/** Part of an RBAC rule: one verb on one resource or path. */
export type Permission = ResourceGrant | UrlGrant;

/**
 * True if `granted` includes everything that `wanted` permits. A `*` in `granted` includes every value. A `*` in `wanted` is never included
 * in a list of single values. Source: kube-apiserver `plugin/pkg/auth/authorizer/rbac` `RuleAllows`, `pkg/apis/rbac/v1`
 * `evaluation_helpers`.
 */
export function covers(granted: Grant, wanted: Grant): boolean {
  if (granted.type === 'resource' && wanted.type === 'resource') {
    return (
      matches(granted.verb, wanted.verb) &&
      matches(granted.group, wanted.group) &&
      resourceCovers(granted.resource, wanted.resource) &&
      (granted.name === undefined || granted.name === wanted.name)
    );
  }
  if (granted.type === 'url' && wanted.type === 'url')
    return matches(granted.verb, wanted.verb) && urlCovers(granted.url, wanted.url);
  return grantKey(granted) === grantKey(wanted);
}

/** True if at least one of the grants includes everything that `wanted` permits. */
export function coveredBy(granted: readonly Grant[], wanted: Grant): boolean {
  return granted.some((each) => covers(each, wanted));
}

/** True if a grant contains a `*`, which also covers values that are added later. */
export function isOpenEnded(grant: Grant): boolean {
  if (grant.type === 'url') return grant.verb === '*' || grant.url.endsWith('*');
  if (grant.type !== 'resource') return false;
  return (
    grant.verb === '*' || grant.group === '*' || grant.resource === '*' || grant.resource.startsWith('*/')
  );
}

/** Returns a unique key for each grant. Sorting by the key puts URLs first, then sorts by group, resource, name and verb. */
function grantKey(grant: Grant): string {
  switch (grant.type) {
    case 'subject':
      return ['0', grant.role, grant.subject].join('\u0000');
    case 'aggregate':
      return ['1', grant.selector].join('\u0000');
    case 'url':
      return ['2', grant.url, grant.verb].join('\u0000');
    case 'resource':
      return [
        '3',
        grant.group,
        grant.resource,
        grant.name === undefined ? '' : `=${grant.name}`,
        grant.verb,
      ].join('\u0000');
  }
}

/** Returns a key that is the same for grants that differ only in their verb. */
export function targetKey(grant: Grant): string {
  return grantKey('verb' in grant ? { ...grant, verb: '' } : grant);
}

/** Sorts grants. Removes duplicates and each grant that another grant includes. */
export function simplify<G extends Grant>(grants: readonly G[]): readonly G[] {
  const unique = [...new Map(grants.map((grant) => [grantKey(grant), grant])).entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, grant]) => grant);
  // Two grants that include each other are equal, so the first of them is kept.
  return unique.filter(
    (grant, index) =>
      !unique.some(
        (other, at) => at !== index && covers(other, grant) && (at < index || !covers(grant, other)),
      ),
  );
}

function matches(granted: string, wanted: string): boolean {
  return granted === '*' || granted === wanted;
}

function resourceCovers(granted: string, wanted: string): boolean {
  if (matches(granted, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash !== -1 && granted === `*/${wanted.slice(slash + 1)}`;
}

function urlCovers(granted: string, wanted: string): boolean {
  if (matches(granted, wanted)) return true;
  return granted.endsWith('*') && wanted.startsWith(granted.replace(/\*+$/, ''));
}

/** Converts rules to grants, each for one verb on one resource or path. Keeps the order of the rules. */
export function grantsOf(
  rules: readonly PolicyRule[],
  {
    withUrls = true,
  }: { /** Paths have no namespace: a Role grants none. Default: true. */ readonly withUrls?: boolean } = {},
): readonly Permission[] {
  return rules.flatMap(
    ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) =>
      verbs.flatMap((verb): readonly Permission[] => [
        ...(withUrls ? nonResourceURLs : []).map((url) => ({ type: 'url', url, verb }) as const),
        ...apiGroups.flatMap((group) =>
          resources.flatMap((resource) => {
            const grant = { type: 'resource', group, resource, verb } as const;
            // A rule without `resourceNames` covers all objects.
            return resourceNames.length === 0 ? [grant] : resourceNames.map((name) => ({ ...grant, name }));
          }),
        ),
      ]),
  );
}
