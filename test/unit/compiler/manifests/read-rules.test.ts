import { describe, expect, test } from 'vitest';
import { FindingList } from '../../../../src/base/errors/index.ts';
import { controllerRules } from '../../../../src/compiler/manifests/rbac/controller-rules.ts';
import { readRules } from '../../../../src/compiler/manifests/rbac/read-rule.ts';
import { callsIn, lines } from './fixture.ts';

function read(rules: string): { errors: string[]; warnings: string[] } {
  const [call] = callsIn(`rbac(${rules});`);
  const findings = new FindingList();
  const { warnings } = readRules(findings, call?.arguments[0]);
  return { errors: lines(findings), warnings: lines(warnings) };
}

test.each([
  ['Pod', 'pods'],
  ['Pods', 'pods'],
  ['Ingress', 'ingresses'],
])('for the resource %s the fix names %s', (resource, plural) => {
  const [call] = callsIn(`rbac([{ groups: [''], resources: ['${resource}'], verbs: ['get'] }]);`);
  const findings = new FindingList();
  readRules(findings, call?.arguments[0]);
  expect(findings.all.map(({ fix }) => fix)).toEqual([[`write the plural in lower case: '${plural}'`]]);
});

describe('rules', () => {
  test('valid ones give neither errors nor warnings', () => {
    expect(
      read(`[
        { groups: ['', 'apps'], resources: ['pods', 'pods/status', 'deployments'], verbs: ['get', 'deletecollection'] },
        { groups: ['policy'], resources: ['podsecuritypolicies'], resourceNames: ['restricted'], verbs: ['use'] },
        { nonResourceURLs: ['/metrics', '/healthz/*', '*'], verbs: ['get', 'post'] },
        { groups: ['authentication.k8s.io'], resources: ['users'], verbs: ['impersonate', 'impersonate:user-info'] },
      ]`),
    ).toEqual({ errors: [], warnings: [] });
  });

  test.each([
    [
      `[{ groups: [''], resources: ['pods'], verbs: ['gett'] }]`,
      `manifests/unknown-verb src/main.ts:2:52 an RBAC rule has the verb 'gett', which is not a verb of Kubernetes`,
    ],
    [
      `[{ groups: [''], resources: ['pods'], verbs: ['List'] }]`,
      `manifests/unknown-verb src/main.ts:2:52 an RBAC rule has the verb 'List', which is not a verb of Kubernetes`,
    ],
    [
      `[{ nonResourceURLs: ['/x'], verbs: ['watch'] }]`,
      `manifests/unknown-verb src/main.ts:2:42 an RBAC rule has the verb 'watch', which is not a verb of URLs`,
    ],
    [
      `[{ groups: [''], resources: ['pods'], verbs: [] }]`,
      'manifests/invalid-rbac-rule src/main.ts:2:44 `verbs` of an RBAC rule is empty',
    ],
    [
      `[{ groups: [''], resources: ['pods'] }]`,
      'manifests/invalid-rbac-rule src/main.ts:2:7 an RBAC rule lacks `verbs`',
    ],
    [
      `[{ resources: ['pods'], verbs: ['get'] }]`,
      'manifests/invalid-rbac-rule src/main.ts:2:7 an RBAC rule lacks `groups`',
    ],
    [
      `[{ groups: [''], verbs: ['get'] }]`,
      'manifests/invalid-rbac-rule src/main.ts:2:7 an RBAC rule lacks `resources`',
    ],
    [
      `[{ groups: ['apps/v1'], resources: ['x'], verbs: ['get'] }]`,
      `manifests/invalid-rbac-rule src/main.ts:2:18 the group 'apps/v1' of an RBAC rule has a version`,
    ],
    [
      `[{ groups: ['core'], resources: ['pods'], verbs: ['get'] }]`,
      `manifests/invalid-rbac-rule src/main.ts:2:18 'core' is not the name of an API group`,
    ],
    [
      `[{ groups: [''], resources: ['Pod'], verbs: ['get'] }]`,
      `manifests/invalid-rbac-rule src/main.ts:2:35 the resource 'Pod' of an RBAC rule is not valid`,
    ],
    [
      `[{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]`,
      'manifests/invalid-declaration src/main.ts:2:9 an RBAC rule has no property `apiGroups`',
    ],
    [
      `[{ groups: '', resources: ['pods'], verbs: ['get'] }]`,
      'manifests/invalid-declaration src/main.ts:2:17 `groups` of an RBAC rule: expected an array, got a string',
    ],
    [
      `[{ groups: [1], resources: ['pods'], verbs: ['get'] }]`,
      'an item of `groups` of an RBAC rule: expected a string, got a number',
    ],
    [
      `[{ groups: [f()], resources: ['pods'], verbs: ['get'] }]`,
      'manifests/not-constant src/main.ts:2:18 `f()` is a call: op-sdk reads the source, it does not run it',
    ],
    [
      `[{ groups: [''], nonResourceURLs: ['/x'], verbs: ['get'] }]`,
      'manifests/invalid-rbac-rule src/main.ts:2:7 an RBAC rule is for resources or for URLs, not for both',
    ],
    [
      `[{ nonResourceURLs: ['metrics'], verbs: ['get'] }]`,
      `manifests/invalid-rbac-rule src/main.ts:2:27 the URL 'metrics' of an RBAC rule is not valid`,
    ],
    [`'all'`, 'manifests/invalid-declaration src/main.ts:2:6 `rbac`: expected an array, got a string'],
  ])('%s is refused', (rules, expected) => {
    expect(read(rules).errors.join('\n')).toContain(expected);
  });

  test('every fault of every rule is found at once', () => {
    const { errors } = read(
      `[{ groups: ['core'], resources: ['Pod'], verbs: ['gett'] }, { verbs: ['get'] }]`,
    );
    expect(errors).toHaveLength(5);
  });

  test('wildcards are kept, with a warning each', () => {
    const { errors, warnings } = read(`[{ groups: ['*'], resources: ['*'], verbs: ['*'] }]`);
    expect(errors).toEqual([]);
    expect(warnings.map((line) => line.split(' ')[0])).toEqual(Array(3).fill('manifests/wide-permission'));
  });

  test('create with resourceNames permits nothing', () => {
    const { warnings } = read(
      `[{ groups: [''], resources: ['secrets'], resourceNames: ['a'], verbs: ['get', 'create'] }]`,
    );
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('manifests/useless-rbac-rule');
  });
});

function rulesOf(controller: string): { rules: unknown; errors: string[] } {
  const call = callsIn(controller).find(({ callee }) => callee === 'defineController');
  if (call === undefined) throw new Error('no defineController');
  const findings = new FindingList();
  const { rules } = controllerRules(findings, call.arguments[0], call.place);
  const policies = rules.map(({ apiGroups, resources, verbs }) => ({ apiGroups, resources, verbs }));
  return { rules: policies, errors: lines(findings) };
}

const own = `const Site = defineResource<object>({ group: 'web.example.com', version: 'v1', kind: 'Site', plural: 'sites' });`;

describe('controllers', () => {
  test('list and watch for, owns and watches; finalizers because of owner references', () => {
    const { rules, errors } = rulesOf(
      `${own} const Secret = externalResource({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });
       defineController({ for: Site, owns: [Deployment], watches: [watch(Secret, { map: () => [] })], reconcile() {}, concurrency: f() });`,
    );
    expect(errors).toEqual([]);
    expect(rules).toEqual([
      { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['list', 'watch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] },
      { apiGroups: ['web.example.com'], resources: ['sites/finalizers'], verbs: ['update'] },
    ]);
  });

  test('owned kinds with options, metadata alone, and sources that are not kinds', () => {
    const { rules, errors } = rulesOf(
      `${own} const Secret = externalResource({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });
       defineController({
         for: Site,
         owns: [owned(Deployment, { anyOwner: f() })],
         watches: [watch(metadataOnly(Secret), { map: f() }), every('10m', f()), from('orders', f(), f())],
         reconcile() {},
       });`,
    );
    expect(errors).toEqual([]);
    expect(rules).toEqual([
      { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['list', 'watch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['list', 'watch'] },
      { apiGroups: ['web.example.com'], resources: ['sites/finalizers'], verbs: ['update'] },
    ]);
  });

  test('kinds that need not be there have the same rules', () => {
    const rulesWith = (owns: string, watches: string) =>
      rulesOf(
        `${own} const Secret = externalResource({ group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });
         defineController({ for: Site, owns: [${owns}], watches: [${watches}], reconcile() {} });`,
      );
    const optional = rulesWith(
      'owned(ifServed(Deployment), f())',
      'watch(ifServed(metadataOnly(Secret)), { map: f() })',
    );
    expect(optional).toEqual(rulesWith('Deployment', 'watch(Secret, { map: f() })'));
  });

  test.each([`finalize: f()`, `async finalize() {}`, `retiredFinalizers: ['example.com/old']`])(
    'read and patch the objects whose finalizers they keep: %s',
    (option) => {
      expect(rulesOf(`${own} defineController({ for: Site, reconcile() {}, ${option} });`)).toEqual({
        errors: [],
        rules: [
          { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['list', 'watch'] },
          { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['get', 'patch'] },
        ],
      });
    },
  );

  test('what owns nothing needs no permission on finalizers', () => {
    expect(rulesOf(`${own} defineController({ for: Site, reconcile() {} });`).rules).toEqual([
      { apiGroups: ['web.example.com'], resources: ['sites'], verbs: ['list', 'watch'] },
    ]);
  });

  test.each([
    [
      'a parameter',
      `${own} function make(kind: any) { defineController({ for: kind }); }`,
      'manifests/not-constant src/main.ts:2:165 `kind` is a parameter, which has no constant value',
    ],
    [
      'something else',
      `${own} defineController({ for: Site, owns: ['deployments'] });`,
      '`owns`: expected a resource of defineResource or opsdk/k8s/*, got a string',
    ],
    ['nothing', `defineController({ reconcile() {} });`, 'defineController lacks `for`'],
    [
      'a spread of the unknown',
      `declare const rest: object; defineController({ ...rest });`,
      'manifests/not-constant',
    ],
    ['a list of the unknown', `${own} defineController({ for: Site, owns: f() });`, 'manifests/not-constant'],
  ])('%s is refused', (_name, controller, expected) => {
    expect(rulesOf(controller).errors.join('\n')).toContain(expected);
  });
});
