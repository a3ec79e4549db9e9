import type { Finding, FindingList } from '../../../base/errors/index.ts';
import { checkSubdomain, defaultPlural } from '../../../project/project/index.ts';
import type { SourcePlace } from '../../source/index.ts';
import { closestName } from '../../../base/util/terminal-words.ts';
import type { Placed } from '../declaration.ts';
import { builtInResources } from './generated/built-in-resources.ts';

const keys = ['groups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs'] as const;
/** Name of a list in a rule. */
export type RuleKey = (typeof keys)[number];

/** A rule as its author wrote it. Each part has its place in the sources. */
export type WrittenRule = Readonly<Record<RuleKey, readonly Placed<string>[] | undefined>> & {
  readonly namespace: Placed<string> | undefined;
  readonly place: Placed<unknown>['place'];
  readonly placeOfKey: (key: RuleKey) => Placed<unknown>['place'];
};

/** Adds a finding for each error in a rule, and a warning for each part that permits more than an operator needs. */
export function checkWrittenRule(findings: FindingList, warnings: Finding[], rule: WrittenRule): void {
  for (const key of keys.filter((each) => rule[each]?.length === 0)) {
    findings.add(
      invalidRule(
        `\`${key}\` of an RBAC rule is empty`,
        rule.placeOfKey(key),
        key === 'verbs' ? "name verbs, such as 'get', 'list', 'watch'" : 'name at least one, or leave it out',
      ),
    );
  }
  if (rule.verbs === undefined)
    findings.add(
      invalidRule('an RBAC rule lacks `verbs`', rule.place, "add verbs, such as ['get', 'list', 'watch']"),
    );
  const invalid = rule.namespace && checkSubdomain(rule.namespace.value);
  if (rule.namespace !== undefined && (invalid !== undefined || rule.namespace.value.includes('.')))
    findings.add(
      invalidRule(
        `invalid namespace '${rule.namespace.value}' of an RBAC rule`,
        rule.namespace.place,
        "write the name of a namespace, such as 'kube-system', or leave it out",
      ),
    );
  if (rule.nonResourceURLs === undefined) checkResourceRule(findings, warnings, rule);
  else {
    if (rule.namespace !== undefined)
      findings.add(
        invalidRule('URLs are in no namespace', rule.namespace.place, 'remove `namespace` from the rule'),
      );
    if (rule.groups !== undefined || rule.resources !== undefined || rule.resourceNames !== undefined) {
      findings.add(
        invalidRule('an RBAC rule is for resources or for URLs, not for both', rule.place, 'write two rules'),
      );
    }
    for (const url of rule.nonResourceURLs) {
      if (url.value !== '*' && !/^\/[^*]*\*?$/.test(url.value)) {
        findings.add(
          invalidRule(
            `the URL '${url.value}' of an RBAC rule is not valid`,
            url.place,
            "write a path that starts with '/', with '*' only at its end",
          ),
        );
      }
    }
  }
  checkVerbs(findings, warnings, rule);
}

/** Checks the groups and resources of a rule that is not for URLs. */
function checkResourceRule(findings: FindingList, warnings: Finding[], rule: WrittenRule): void {
  const wide = (what: string, where: WrittenRule['place']): void => {
    warnings.push({
      code: 'manifests/wide-permission',
      message: `an RBAC rule has the wildcard \`*\` as ${what}, which grants more than the operator needs`,
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

/** Verbs that apply to resources without a kind, such as users, groups or policies. */
const specialVerbs = /^(?:use|impersonate(?:-on)?(?::.*)?|bind|escalate|approve|sign|attest)$/;

/** Reports resources that do not exist in a built-in API group, if their name resembles a resource that exists there. */
function unknownResources(rule: WrittenRule): readonly Finding[] {
  if ((rule.verbs ?? []).some(({ value }) => specialVerbs.test(value))) return [];
  const groups = (rule.groups ?? []).map(({ value }) => value);
  const known = groups.map((group) =>
    Object.hasOwn(builtInResources, group) ? builtInResources[group] : undefined,
  );
  // Only built-in groups are checked, because other groups may have any resource.
  if (groups.length === 0 || known.some((resources) => resources === undefined)) return [];
  const plurals = known.flatMap((resources) => Object.keys(resources ?? {}));
  return (rule.resources ?? []).flatMap(({ value, place }): readonly Finding[] => {
    const [plural = '', subresource] = value.split('/');
    // Another check reports names that do not have the form of a resource.
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

/**
 * Verbs for resources. Source: Kubernetes "Authorization: request verbs"; also the special verbs of RBAC, certificates and pod security.
 */
const resourceVerbs = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...[
    'use',
    'bind',
    'escalate',
    'impersonate',
    'approve',
    'sign',
    'attest',
    'request-serviceaccounts-token-audience',
  ],
];
/** Verbs for URLs: the HTTP methods in lower case. Source: Kubernetes "Authorization: non-resource requests". */
const urlVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
/** Matches the verbs of constrained impersonation, such as `impersonate:user-info` or `impersonate-on:user-info:list`. */
const impersonation = /^impersonate(?:-on)?:[a-z:-]+$/;

/** Verbs of requests that have no object name when they are authorised. Therefore a rule with `resourceNames` never matches them. */
const namelessVerbs = ['create', 'deletecollection'];

/** Rejects verbs that no request has. RBAC would accept such a verb, but the rule would permit nothing. */
function checkVerbs(findings: FindingList, warnings: Finding[], rule: WrittenRule): void {
  const known = rule.nonResourceURLs === undefined ? resourceVerbs : urlVerbs;
  for (const { value, place } of rule.verbs ?? []) {
    if (value === '*') {
      warnings.push({
        code: 'manifests/wide-permission',
        message: 'an RBAC rule has the verb `*`',
        where: place,
        fix: ['name the verbs that the operator uses'],
      });
    } else if (!known.includes(value) && !impersonation.test(value)) {
      const closest = closestName(value, known);
      findings.add({
        code: 'manifests/unknown-verb',
        message: `an RBAC rule has the verb '${value}', which is not a verb of ${rule.nonResourceURLs === undefined ? 'Kubernetes' : 'URLs'}`,
        where: place,
        fix: [closest === undefined ? `use one of ${known.join(', ')}` : `did you mean '${closest}'?`],
      });
    } else if (rule.resourceNames !== undefined && namelessVerbs.includes(value)) {
      warnings.push({
        code: 'manifests/useless-rbac-rule',
        message: `the verb '${value}' in a rule with \`resourceNames\` permits nothing: such a request has no name when it is authorised`,
        where: place,
        fix: [`write a rule of its own for '${value}', without \`resourceNames\``],
      });
    }
  }
}

/** Creates a finding about the content of an RBAC rule. */
function invalidRule(message: string, where: SourcePlace, ...fix: readonly string[]): Finding {
  return { code: 'manifests/invalid-rbac-rule', message, where, fix };
}
