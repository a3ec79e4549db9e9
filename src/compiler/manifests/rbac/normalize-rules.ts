import type { PolicyRule } from './policy-rule.ts';

/**
 * The same permissions in one form: a rule for each resource (or URL), the verbs of equal ones put together, everything
 * sorted. Never wider than the input. Source: controller-gen's `rbac` generator, whose order this is.
 */
export function normalizeRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const single of rules.flatMap(singleRules)) {
    const { verbs, ...target } = single;
    const key = JSON.stringify([
      target.apiGroups,
      target.resources,
      target.resourceNames,
      target.nonResourceURLs,
    ]);
    merged.set(key, { ...target, verbs: sortedVerbs([...(merged.get(key)?.verbs ?? []), ...verbs]) });
  }
  return [...merged.values()].sort(compareRules);
}

function singleRules(rule: PolicyRule): readonly PolicyRule[] {
  const { verbs } = rule;
  const names =
    rule.resourceNames === undefined ? {} : { resourceNames: [...new Set(rule.resourceNames)].sort() };
  const urls = (rule.nonResourceURLs ?? []).map((url) => ({ nonResourceURLs: [url], verbs }));
  const resources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).map((resource) => ({
      apiGroups: [group],
      resources: [resource],
      ...names,
      verbs,
    })),
  );
  return [...urls, ...resources];
}

/** With `*` among them, no other verb says more. */
function sortedVerbs(verbs: readonly string[]): readonly string[] {
  return verbs.includes('*') ? ['*'] : [...new Set(verbs)].sort();
}

function compareRules(a: PolicyRule, b: PolicyRule): number {
  const parts = (rule: PolicyRule): readonly string[] => [
    // Rules for URLs come first; the core group is the empty string.
    rule.nonResourceURLs === undefined ? '1' : '0',
    rule.apiGroups?.[0] ?? '',
    rule.resources?.[0] ?? '',
    (rule.resourceNames ?? []).join('\u0000'),
    rule.nonResourceURLs?.[0] ?? '',
  ];
  const other = parts(b);
  for (const [index, part] of parts(a).entries()) {
    const counterpart = other[index] ?? '';
    if (part !== counterpart) return part < counterpart ? -1 : 1;
  }
  return 0;
}
