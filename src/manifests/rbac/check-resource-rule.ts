import type { Finding, FindingList } from '../../errors/index.ts';
import { checkSubdomain, defaultPlural } from '../../project/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { builtInResources } from './generated/built-in-resources.ts';
import { invalidRule } from './invalid-rule.ts';
import type { WrittenRule } from './read-rule.ts';

/** Groups and resources of a rule that is not for URLs. */
export function checkResourceRule(findings: FindingList, warnings: Finding[], rule: WrittenRule): void {
  const wide = (what: string, where: WrittenRule['place']): void => {
    warnings.push({
      code: 'manifests/wide-permission',
      message: `an RBAC rule has the ${what} \`*\``,
      where,
      fix: [`name the ${what}s that the operator uses`],
    });
  };
  if (rule.groups === undefined)
    findings.add(
      invalidRule('an RBAC rule lacks `groups`', rule.place, "add the API groups; [''] is the core group"),
    );
  if (rule.resources === undefined)
    findings.add(
      invalidRule('an RBAC rule lacks `resources`', rule.place, "add the plurals, such as ['deployments']"),
    );
  for (const { value, place } of rule.groups ?? []) {
    if (value === '*') wide('group', place);
    else if (value.includes('/'))
      findings.add(
        invalidRule(
          `the group '${value}' of an RBAC rule has a version`,
          place,
          `write '${value.split('/', 1)[0] ?? ''}'`,
        ),
      );
    else if (value === 'core' || (/^v\d+$/.test(value) && !value.includes('.'))) {
      findings.add(
        invalidRule(`'${value}' is not the name of an API group`, place, "write '' for the core group"),
      );
    } else if (value !== '' && checkSubdomain(value) !== undefined) {
      findings.add(
        invalidRule(
          `the group '${value}' of an RBAC rule is not valid: ${checkSubdomain(value) ?? ''}`,
          place,
          "write a group such as 'apps', or '' for the core group",
        ),
      );
    }
  }
  findings.add(...unknownResources(rule));
  for (const { value, place } of rule.resources ?? []) {
    if (value === '*' || value === '*/*') wide('resource', place);
    else if (!/^(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?|\*)(?:\/[a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/.test(value)) {
      const kind = /^[A-Z][A-Za-z0-9]*$/.test(value);
      const fix = kind
        ? `write the plural in lower case: '${/[^s]s$/.test(value) ? value.toLowerCase() : defaultPlural(value)}'`
        : "write a plural such as 'deployments', or a subresource such as 'deployments/status'";
      findings.add(invalidRule(`the resource '${value}' of an RBAC rule is not valid`, place, fix));
    }
  }
}

/** Verbs that are asked for resources which have no kind: users, groups, policies. */
const specialVerbs = /^(?:use|impersonate(?:-on)?(?::.*)?|bind|escalate|approve|sign|attest)$/;

/** Resources that a group of Kubernetes does not have, as far as another one is meant. */
function unknownResources(rule: WrittenRule): readonly Finding[] {
  if ((rule.verbs ?? []).some(({ value }) => specialVerbs.test(value))) return [];
  const groups = (rule.groups ?? []).map(({ value }) => value);
  const known = groups.map((group) =>
    Object.hasOwn(builtInResources, group) ? builtInResources[group] : undefined,
  );
  // A group of others may have any resource.
  if (groups.length === 0 || known.some((resources) => resources === undefined)) return [];
  const plurals = known.flatMap((resources) => Object.keys(resources ?? {}));
  return (rule.resources ?? []).flatMap(({ value, place }): readonly Finding[] => {
    const [plural = '', subresource] = value.split('/');
    // What has not the form of a resource is reported as such.
    if (!/^[a-z]+$/.test(plural) || plurals.includes(plural)) return [];
    const closest = closestName(plural, plurals);
    if (closest === undefined) return [];
    return [
      {
        code: 'manifests/unknown-resource',
        message: `the API group '${groups.join("', '")}' has no resource '${plural}'`,
        where: place,
        fix: [`did you mean '${subresource === undefined ? closest : `${closest}/${subresource}`}'?`],
      },
    ];
  });
}
