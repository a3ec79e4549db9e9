import type { Finding, FindingList } from '../../errors/index.ts';
import { checkSubdomain, defaultPlural } from '../../project/index.ts';
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
