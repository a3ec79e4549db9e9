import type { PolicyRule } from '../rbac/policy-rule.ts';
import type { Permission } from './grant.ts';

/** Grants of rules, one verb on one resource or path each, in the order of the rules. */
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
