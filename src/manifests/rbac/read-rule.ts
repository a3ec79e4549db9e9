import type { Finding, FindingList } from '../../errors/index.ts';
import { opaqueParts, type Evaluated } from '../../schema/index.ts';
import { readArray, readObject, readStrings, type Placed } from '../read-value.ts';
import { checkResourceRule } from './check-resource-rule.ts';
import { checkVerbs } from './check-verbs.ts';
import type { PolicyRule } from './policy-rule.ts';

const keys = ['groups', 'resources', 'resourceNames', 'nonResourceURLs', 'verbs'] as const;

/** A rule as it was written, each part with its place. */
export type WrittenRule = Readonly<Record<(typeof keys)[number], readonly Placed<string>[] | undefined>> & {
  readonly place: Placed<unknown>['place'];
};

export interface ReadRules {
  readonly rules: readonly PolicyRule[];
  readonly written: readonly WrittenRule[];
  readonly warnings: readonly Finding[];
}

/** Reads the rules of one `rbac` property or `rbac([...])` call. */
export function readRules(findings: FindingList, value: Evaluated | undefined): ReadRules {
  const items = readArray(findings, value, '`rbac`') ?? [];
  const warnings: Finding[] = [];
  const written = items.flatMap((item) => readRule(findings, warnings, item) ?? []);
  return { rules: written.map(policyRule), written, warnings };
}

function readRule(findings: FindingList, warnings: Finding[], value: Evaluated): WrittenRule | undefined {
  const fields = readObject(findings, value, 'an RBAC rule', keys);
  if (fields === undefined || value.type !== 'object') return undefined;
  const strings = (key: (typeof keys)[number]) =>
    readStrings(findings, fields.get(key)?.value, `\`${key}\` of an RBAC rule`);
  const rule: WrittenRule = {
    groups: strings('groups'),
    resources: strings('resources'),
    resourceNames: strings('resourceNames'),
    nonResourceURLs: strings('nonResourceURLs'),
    verbs: strings('verbs'),
    place: value.place,
  };
  // What could not be read has been reported; checking the rest would report its absence once more.
  if (opaqueParts(value).length > 0) return undefined;
  const invalid = (message: string, place: Placed<string>['place'], ...fix: readonly string[]): void => {
    findings.add({ code: 'manifests/invalid-rbac-rule', message, where: place, fix });
  };
  for (const key of keys) {
    const property = fields.get(key);
    if (property !== undefined && rule[key]?.length === 0) {
      invalid(
        `\`${key}\` of an RBAC rule is empty`,
        property.place,
        key === 'verbs' ? "name verbs, such as 'get', 'list', 'watch'" : 'name at least one, or leave it out',
      );
    }
  }
  if (rule.verbs === undefined)
    invalid('an RBAC rule lacks `verbs`', rule.place, "add verbs, such as ['get', 'list', 'watch']");
  if (rule.nonResourceURLs === undefined) checkResourceRule(findings, warnings, rule);
  else {
    if (rule.groups !== undefined || rule.resources !== undefined || rule.resourceNames !== undefined) {
      invalid('an RBAC rule is for resources or for URLs, not for both', rule.place, 'write two rules');
    }
    for (const url of rule.nonResourceURLs) {
      if (url.value !== '*' && !/^\/[^*]*\*?$/.test(url.value)) {
        invalid(
          `the URL '${url.value}' of an RBAC rule is not valid`,
          url.place,
          "write a path that starts with '/', with '*' only at its end",
        );
      }
    }
  }
  checkVerbs(findings, warnings, rule);
  return rule;
}

function policyRule(rule: WrittenRule): PolicyRule {
  const values = (names: readonly Placed<string>[]): readonly string[] => names.map((name) => name.value);
  return {
    ...(rule.groups === undefined ? {} : { apiGroups: values(rule.groups) }),
    ...(rule.resources === undefined ? {} : { resources: values(rule.resources) }),
    ...(rule.resourceNames === undefined ? {} : { resourceNames: values(rule.resourceNames) }),
    ...(rule.nonResourceURLs === undefined ? {} : { nonResourceURLs: values(rule.nonResourceURLs) }),
    verbs: values(rule.verbs ?? []),
  };
}
