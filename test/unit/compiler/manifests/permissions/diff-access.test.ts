// Comparison of permissions, beside a model of what kube-apiserver's RBAC authorizer allows a single request.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coveredBy, grantsOf, simplify } from '../../../../../src/compiler/manifests/permissions/grant.ts';
import {
  diffAccess,
  type AccessChange,
} from '../../../../../src/compiler/manifests/permissions/diff-access.ts';
import { readAccess } from '../../../../../src/compiler/manifests/permissions/read-access.ts';

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

type Request =
  | { readonly verb: string; readonly path: string }
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly name: string;
    };

/** Source: `plugin/pkg/auth/authorizer/rbac/rbac.go` RuleAllows and `pkg/apis/rbac/v1/evaluation_helpers.go` of kube-apiserver. */
function ruleAllows(request: Request, rule: Rule): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list?.some((each) => each === '*' || each === value) ?? false;
  if (!has(rule.verbs, request.verb)) return false;
  if ('path' in request) {
    return (rule.nonResourceURLs ?? []).some(
      (url) =>
        url === '*' ||
        url === request.path ||
        (url.endsWith('*') && request.path.startsWith(url.replace(/\*+$/, ''))),
    );
  }
  const { group, resource, subresource, name } = request;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const isResource = (rule.resources ?? []).some(
    (each) => each === '*' || each === combined || (subresource !== '' && each === `*/${subresource}`),
  );
  const names = rule.resourceNames ?? [];
  return has(rule.apiGroups, group) && isResource && (names.length === 0 || names.includes(name));
}

// `new` is what no rule names: it stands for all that only `*` includes.
const verbs = ['get', 'list', 'new'];
const groups = ['', 'apps', 'new'];
const resources = ['pods', 'deployments', 'new'];
const subresources = ['', 'scale', 'new'];
const names = ['', 'one', 'two', 'new'];
const paths = ['/metrics', '/metrics/new', '/healthz', '/new'];

const everyRequest: readonly Request[] = verbs.flatMap((verb): readonly Request[] => [
  ...paths.map((path) => ({ verb, path })),
  ...groups.flatMap((group) =>
    resources.flatMap((resource) =>
      subresources.flatMap((subresource) =>
        names.map((name) => ({ verb, group, resource, subresource, name })),
      ),
    ),
  ),
]);

const some = (...items: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...items), { minLength: 1, maxLength: 3 });
const resourceRule = fc.record(
  {
    verbs: some('get', 'list', '*'),
    apiGroups: some('', 'apps', '*'),
    resources: some('pods', 'deployments', 'pods/scale', 'deployments/scale', '*/scale', '*'),
    resourceNames: some('one', 'two'),
  },
  { requiredKeys: ['verbs', 'apiGroups', 'resources'] },
);
const urlRule = fc.record({
  verbs: some('get', 'list', '*'),
  nonResourceURLs: some('/metrics', '/metrics/*', '/healthz*', '*'),
});
const someRules: fc.Arbitrary<readonly Rule[]> = fc.array(fc.oneof(resourceRule, urlRule), { maxLength: 4 });

function role(rules: readonly Rule[], more: object = {}) {
  const value = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'manager-role' },
    rules,
    ...more,
  };
  const { objects, findings } = readAccess([
    { value, locate: (path) => ({ file: 'role.yaml', path: path.join('.') }) },
  ]);
  expect(findings).toEqual([]);
  return objects;
}

const diff = (before: readonly Rule[], after: readonly Rule[]): readonly AccessChange[] =>
  diffAccess(role(before), role(after));
const allowedBy = (rules: readonly Rule[], request: Request): boolean =>
  rules.some((rule) => ruleAllows(request, rule));
/** The request as what would have to be granted for it. */
const asGrant = (request: Request) =>
  'path' in request
    ? ({ type: 'url', url: request.path, verb: request.verb } as const)
    : ({
        type: 'resource',
        group: request.group,
        resource:
          request.subresource === '' ? request.resource : `${request.resource}/${request.subresource}`,
        name: request.name,
        verb: request.verb,
      } as const);

describe('a comparison of rules', () => {
  test('with themselves finds nothing', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        expect(diff(rules, rules)).toEqual([]);
      }),
    );
  });

  test('does not depend on their order', () => {
    fc.assert(
      fc.property(someRules, someRules, (before, after) => {
        expect(diff([...before].reverse(), [...after].reverse())).toEqual(diff(before, after));
      }),
    );
  });

  test('grants what the authorizer allows', () => {
    fc.assert(
      fc.property(someRules, (rules) => {
        const granted = simplify(grantsOf(rules));
        for (const request of everyRequest)
          expect(coveredBy(granted, asGrant(request)), JSON.stringify(request)).toBe(
            allowedBy(rules, request),
          );
      }),
    );
  });

  test('calls widened just what a request may do that it might not before', () => {
    fc.assert(
      fc.property(someRules, someRules, (before, after) => {
        const changes = diff(before, after);
        for (const [change, from, to] of [
          ['widened', before, after],
          ['narrowed', after, before],
        ] as const) {
          const grants = changes.filter((each) => each.change === change).map(({ grant }) => grant);
          const gained = everyRequest.filter(
            (request) => allowedBy(to, request) && !allowedBy(from, request),
          );
          for (const request of gained) expect(coveredBy(grants, asGrant(request))).toBe(true);
          for (const grant of grants) {
            // Each of them means at least one request that is new.
            expect(gained.some((request) => coveredBy([grant], asGrant(request)))).toBe(true);
          }
        }
      }),
    );
  });
});

describe('what changed', () => {
  const pods = { apiGroups: [''], resources: ['pods'] };
  const lines = (changes: readonly AccessChange[]) =>
    changes.map(
      ({ change, grant, openEnded }) => `${change}${openEnded ? '*' : ''} ${JSON.stringify(grant)}`,
    );

  test('a star instead of verbs is a widening without an end, and names what had been granted', () => {
    const [change, ...others] = diff([{ ...pods, verbs: ['get', 'list'] }], [{ ...pods, verbs: ['*'] }]);
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      change: 'widened',
      openEnded: true,
      grant: { verb: '*', resource: 'pods' },
    });
    expect(change?.granted.map((grant) => 'verb' in grant && grant.verb)).toEqual(['get', 'list']);
  });

  test('rules that are split or joined are no change', () => {
    const joined = [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments'], verbs: ['get', 'list'] }];
    const split = ['', 'apps'].flatMap((group) =>
      ['pods', 'deployments'].flatMap((resource) =>
        ['get', 'list'].map((verb) => ({ apiGroups: [group], resources: [resource], verbs: [verb] })),
      ),
    );
    expect(diff(joined, split)).toEqual([]);
  });

  test('names that are removed from a rule widen it to all objects', () => {
    const rule = { ...pods, verbs: ['get'] };
    expect(lines(diff([{ ...rule, resourceNames: ['one'] }], [rule]))).toEqual([
      'widened {"type":"resource","group":"","resource":"pods","verb":"get"}',
    ]);
  });

  test('paths in a Role grant nothing', () => {
    const url = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }];
    const more = { kind: 'Role', metadata: { name: 'r', namespace: 'n' } };
    expect(diffAccess([], role(url, more))).toEqual([]);
  });

  test('an aggregated role changes with its selectors', () => {
    const more = (tier: string) => ({
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { tier } }] },
    });
    expect(lines(diffAccess(role([], more('a')), role([], more('b'))))).toEqual([
      'narrowed {"type":"aggregate","selector":"{\\"matchLabels\\":{\\"tier\\":\\"a\\"}}"}',
      'widened {"type":"aggregate","selector":"{\\"matchLabels\\":{\\"tier\\":\\"b\\"}}"}',
    ]);
  });

  test('a binding to one more subject is a widening', () => {
    const binding = (...subjects: readonly object[]) =>
      role([], {
        kind: 'RoleBinding',
        metadata: { name: 'b', namespace: 'n' },
        roleRef: { kind: 'Role', name: 'r' },
        subjects,
      });
    const first = { kind: 'ServiceAccount', name: 'a' };
    expect(lines(diffAccess(binding(first), binding(first, { kind: 'Group', name: 'g' })))).toEqual([
      'widened {"type":"subject","role":"Role r","subject":"Group g"}',
    ]);
  });

  test('everything that is invalid is reported, with its place', () => {
    const { findings } = readAccess([
      {
        value: {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'r' },
          rules: [{ verbs: 'get' }, {}],
        },
        locate: (path) => ({ file: 'role.yaml', path: path.join('.') }),
      },
    ]);
    expect(findings).toMatchObject([
      { code: 'diff/invalid-object', where: { path: 'rules.0.verbs' } },
      { code: 'diff/invalid-object', where: { path: 'rules.1' } },
    ]);
  });
});
