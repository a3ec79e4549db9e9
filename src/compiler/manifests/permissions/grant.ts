import { compareCodeUnits } from '../../../base/util/json-map.ts';
import type { PolicyRule } from '../rbac/needed-rule.ts';

/** A verb on a resource. Each part may be RBAC's `*`. */
interface ResourceGrant {
  readonly type: 'resource';
  /** `''` is the core group. */
  readonly group: string;
  /** As written in a rule: `deployments`, `deployments/status`, `*`, `*` + `/scale`. */
  readonly resource: string;
  /** Omitted: all objects. */
  readonly name?: string;
  readonly verb: string;
}

/** A verb on a path that is not a resource; the path may end in `*`. */
interface UrlGrant {
  readonly type: 'url';
  readonly url: string;
  readonly verb: string;
}

/** ClusterRoles selected by labels, whose rules an aggregated ClusterRole includes. */
interface AggregateGrant {
  readonly type: 'aggregate';
  /** A label selector, as JSON with sorted keys. */
  readonly selector: string;
}

/** A subject that receives everything that a role grants. */
interface SubjectGrant {
  readonly type: 'subject';
  /** `ClusterRole manager-role`. */
  readonly role: string;
  /** `ServiceAccount system/controller-manager`. */
  readonly subject: string;
}

/** Grant of an RBAC object: the smallest part that can be added or removed. */
export type Grant = ResourceGrant | UrlGrant | AggregateGrant | SubjectGrant;

/** Grant of a rule. */
export type Permission = ResourceGrant | UrlGrant;

/**
 * True if `granted` includes all that `wanted` permits, with `*` expanded. An open-ended grant, as by `*`, is never included in a list of
 * single values. Source: kube-apiserver `plugin/pkg/auth/authorizer/rbac` `RuleAllows`, `pkg/apis/rbac/v1` `evaluation_helpers`.
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

/** True if one of several grants includes all that `wanted` permits. */
export function coveredBy(granted: readonly Grant[], wanted: Grant): boolean {
  return granted.some((each) => covers(each, wanted));
}

/** True if a grant contains a `*`, and so includes more than it names. */
export function isOpenEnded(grant: Grant): boolean {
  if (grant.type === 'url') return grant.verb === '*' || grant.url.endsWith('*');
  if (grant.type !== 'resource') return false;
  return (
    grant.verb === '*' || grant.group === '*' || grant.resource === '*' || grant.resource.startsWith('*/')
  );
}

/** Returns a key that is unique for each grant and sorts grants: URLs first, then by group, resource, name and verb. */
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

/** Returns a key that ignores the verb of a grant. */
export function targetKey(grant: Grant): string {
  return grantKey('verb' in grant ? { ...grant, verb: '' } : grant);
}

/** Sorts grants, and removes duplicates and those that another grant includes. */
export function simplify<G extends Grant>(grants: readonly G[]): readonly G[] {
  const unique = [...new Map(grants.map((grant) => [grantKey(grant), grant])).entries()]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, grant]) => grant);
  // If two grants include each other, they are equal: the first one stays.
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

/** Converts rules to grants, one verb on one resource or path each, in the order of the rules. */
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
            // No names: all objects.
            return resourceNames.length === 0 ? [grant] : resourceNames.map((name) => ({ ...grant, name }));
          }),
        ),
      ]),
  );
}
