import type { Grant } from './grant.ts';

/** Describes the object of a grant, without its verb: `deployments.apps/status`, `secrets`, `every resource in every group`. */
export function describeGrant(grant: Grant): string {
  switch (grant.type) {
    case 'subject':
      return `${grant.subject} as ${grant.role}`;
    case 'aggregate':
      return `the rules of the ClusterRoles that ${grant.selector} selects`;
    case 'url':
      return grant.url === '*' ? 'every path' : grant.url;
    case 'resource': {
      const name = grant.name === undefined ? '' : ` named ${grant.name}`;
      return `${describeResource(grant.group, grant.resource)}${name}`;
    }
  }
}

/** Verbs for people: `*` is every verb. */
export function describeVerbs(verbs: readonly string[]): string {
  return verbs.map((verb) => (verb === '*' ? 'every verb' : verb)).join(', ');
}

/** As kubectl names resources: `deployments.apps/status`. */
function describeResource(group: string, resource: string): string {
  const [plural = '', ...rest] = resource.split('/');
  const subresource = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (plural === '*') {
    const all = subresource === '' ? 'every resource' : `${subresource.slice(1)} of every resource`;
    return `${all} in ${group === '*' ? 'every group' : group === '' ? 'the core group' : group}`;
  }
  if (group === '*') return `${resource} in every group`;
  return group === '' ? resource : `${plural}.${group}${subresource}`;
}

/** A grant in the words of RBAC, for `-o json`. */
export function grantJson(grant: Grant): Readonly<Record<string, string>> {
  switch (grant.type) {
    case 'subject':
      return { role: grant.role, subject: grant.subject };
    case 'aggregate':
      return { clusterRoleSelector: grant.selector };
    case 'url':
      return { nonResourceURL: grant.url, verb: grant.verb };
    case 'resource': {
      const { group, name, verb } = grant;
      const [resource = '', ...rest] = grant.resource.split('/');
      return {
        group,
        resource,
        ...(rest.length === 0 ? {} : { subresource: rest.join('/') }),
        ...(name === undefined ? {} : { resourceName: name }),
        verb,
      };
    }
  }
}
