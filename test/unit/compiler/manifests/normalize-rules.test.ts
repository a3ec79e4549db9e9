import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeRules } from '../../../../src/compiler/manifests/rbac/role-document.ts';
import type { PolicyRule } from '../../../../src/compiler/manifests/rbac/needed-rule.ts';

test('one rule for each resource; verbs of equal ones together; sorted', () => {
  expect(
    normalizeRules([
      { apiGroups: ['b.example.com', 'apps'], resources: ['x'], verbs: ['watch', 'get'] },
      { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['get'] },
      { apiGroups: ['apps'], resources: ['x'], verbs: ['list', 'get'] },
      { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    ]),
  ).toEqual([
    { nonResourceURLs: ['/metrics'], verbs: ['get'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    { apiGroups: ['apps'], resources: ['x'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['b.example.com'], resources: ['x'], verbs: ['get', 'watch'] },
  ]);
});

test('a rule for some names is not merged with the rule for all', () => {
  expect(
    normalizeRules([
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['b', 'a', 'b'], verbs: ['update'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    ]),
  ).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['update'] },
  ]);
});

test('* stays, and stands for every other verb', () => {
  const rule = { apiGroups: [''], resources: ['pods'], verbs: ['get', '*'] };
  expect(normalizeRules([rule])).toEqual([{ ...rule, verbs: ['*'] }]);
});

/** Every single permission that rules give. */
function permissions(rules: readonly PolicyRule[]): string[] {
  const all = rules.flatMap((rule) =>
    (rule.apiGroups ?? []).flatMap((group) =>
      (rule.resources ?? []).flatMap((resource) =>
        (rule.resourceNames ?? ['(all)']).flatMap((name) =>
          rule.verbs.map((verb) => [group, resource, name, verb].join(' ')),
        ),
      ),
    ),
  );
  return [...new Set(all)].sort();
}

const rule: fc.Arbitrary<PolicyRule> = fc
  .record({
    apiGroups: fc.array(fc.constantFrom('', 'apps', 'x.example.com'), { minLength: 1, maxLength: 3 }),
    resources: fc.array(fc.constantFrom('pods', 'pods/status', 'secrets'), { minLength: 1, maxLength: 3 }),
    resourceNames: fc.option(fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 2 })),
    verbs: fc.array(fc.constantFrom('get', 'list', 'watch'), { minLength: 1, maxLength: 3 }),
  })
  .map(({ resourceNames, ...rest }) => ({ ...rest, ...(resourceNames === null ? {} : { resourceNames }) }));

test('never wider, never narrower, the same for any order, stable', () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), (rules) => {
      const normal = normalizeRules(rules);
      expect(permissions(normal)).toEqual(permissions(rules));
      expect(normalizeRules([...rules].reverse())).toEqual(normal);
      expect(normalizeRules(normal)).toEqual(normal);
    }),
  );
});
