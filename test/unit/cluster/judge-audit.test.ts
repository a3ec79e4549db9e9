import { expect, test } from 'vitest';
import { judgeAudit } from '../../../src/cluster/audit/judge-audit.ts';
import { grantsOf } from '../../../src/compiler/manifests/permissions/grant.ts';
import type { AuditEvent } from '../../../src/testing/index.ts';

const user = 'system:serviceaccount:sys:operator';
let id = 0;

/** `apps/deployments/status` is a resource of a group; `/status` alone one of the core group. */
function event(
  verb: string,
  resource: string,
  more: Partial<AuditEvent> & { name?: string } = {},
): AuditEvent {
  const [apiGroup = '', plural = '', subresource] = resource.split('/');
  const { name, ...rest } = more;
  return {
    auditID: String(++id),
    stage: 'ResponseComplete',
    level: 'Metadata',
    verb,
    requestURI: `/apis/${resource}`,
    user: { username: user },
    objectRef: {
      ...(apiGroup === '' ? {} : { apiGroup }),
      resource: plural,
      ...(subresource === undefined ? {} : { subresource }),
      ...(name === undefined ? {} : { name }),
      namespace: 'default',
    },
    requestReceivedTimestamp: '',
    stageTimestamp: '',
    annotations: { 'authorization.k8s.io/decision': 'allow' },
    ...rest,
  };
}
const denied = { annotations: { 'authorization.k8s.io/decision': 'forbid' }, responseStatus: { code: 403 } };

const rule = (resource: string, ...verbs: readonly string[]) => {
  const [group = '', ...rest] = resource.split('/');
  return { apiGroups: [group], resources: [rest.join('/')], verbs };
};
const text = (permissions: readonly object[]): readonly string[] =>
  permissions.map((each) => {
    const { group, resource, url, verb, name } = each as Record<string, string>;
    return `${verb} ${url ?? `${group}/${resource}`}${name === undefined ? '' : ` ${name}`}`;
  });
const unused = (events: readonly AuditEvent[], ...rules: readonly object[]): readonly string[] =>
  text(judgeAudit(events, user, grantsOf(rules as Parameters<typeof grantsOf>[0])).unused);

test('what was used is not reported, what was not is', () => {
  expect(
    unused([event('delete', '/pods')], rule('/pods', 'delete', 'deletecollection'), rule('/secrets', 'get')),
  ).toEqual(['deletecollection /pods', 'get /secrets']);
});

test('a request for one object uses the permission for all, and that for its name alone', () => {
  const events = [event('get', '/secrets', { name: 'ca' })];
  expect(unused(events, rule('/secrets', 'get'))).toEqual([]);
  expect(unused(events, { ...rule('/secrets', 'get'), resourceNames: ['ca', 'tls'] })).toEqual([
    'get /secrets tls',
  ]);
});

test('a denied request uses nothing', () => {
  expect(unused([event('get', '/secrets', denied)], rule('/secrets', 'get'))).toEqual(['get /secrets']);
});

test('requests of others do not count', () => {
  const report = judgeAudit(
    [event('get', '/secrets', { user: { username: 'admin' } })],
    user,
    grantsOf([rule('/secrets', 'get')]),
  );
  expect(report).toMatchObject({ requests: 0, forbidden: [], unused: [{ verb: 'get' }] });
});

test('a watch has two events and is one request', () => {
  const watch = event('watch', '/pods');
  expect(judgeAudit([{ ...watch, stage: 'ResponseStarted' }, watch], user, []).requests).toBe(1);
});

const apply = { requestURI: '/apis/x?fieldManager=f&force=true' };
test.each<[string, readonly AuditEvent[], readonly string[], readonly string[]]>([
  [
    'an apply creates what does not exist',
    [event('patch', 'apps/deployments', apply)],
    ['create', 'patch'],
    [],
  ],
  ['a watch begins with a list', [event('watch', 'apps/deployments')], ['list', 'watch'], []],
  ['a list alone does not need a watch', [event('list', 'apps/deployments')], ['list', 'watch'], ['watch']],
  [
    'finalizers are read again when a patch fails',
    [event('patch', 'apps/deployments')],
    ['get', 'patch'],
    [],
  ],
  ['an apply reads nothing', [event('patch', 'apps/deployments', apply)], ['get', 'patch'], ['get']],
  ['a create is not an apply', [event('create', 'apps/deployments')], ['create', 'patch'], ['patch']],
])('%s', (_title, events, verbs, expected) => {
  expect(unused(events, rule('apps/deployments', ...verbs))).toEqual(
    expected.map((verb) => `${verb} apps/deployments`),
  );
});

test('a connection to a Pod needs two verbs, of which the log has one', () => {
  const events = ['exec', 'attach', 'portforward', 'log'].map((name) => event('get', `/pods/${name}`));
  const both = (resource: string) => unused(events, rule(resource, 'create', 'get'));
  expect(['/pods/exec', '/pods/attach', '/pods/portforward'].flatMap(both)).toEqual([]);
  expect(both('/pods/log')).toEqual(['create /pods/log']);
  expect(both('example.com/pods/exec')).toEqual([
    'create example.com/pods/exec',
    'get example.com/pods/exec',
  ]);
  expect(unused([], rule('/pods/exec', 'create', 'get'))).toEqual(['create /pods/exec', 'get /pods/exec']);
});

test('Events tell about failures, of which there may be none, and finalizers leave no trace', () => {
  expect(
    unused(
      [],
      rule('events.k8s.io/events', 'create', 'patch'),
      rule('apps/deployments/finalizers', 'update'),
    ),
  ).toEqual([]);
});

test('a subresource is a permission of its own', () => {
  expect(unused([event('patch', 'apps/deployments/status')], rule('apps/deployments', 'patch'))).toEqual([
    'patch apps/deployments',
  ]);
});

test('what was forbidden is reported once, with its namespaces and the number of requests', () => {
  const elsewhere = { objectRef: { resource: 'secrets', namespace: 'other', name: 'ca' } };
  const { forbidden } = judgeAudit(
    [
      event('get', '/secrets', { ...denied, name: 'tls' }),
      event('get', '/secrets', { ...denied, ...elsewhere }),
    ],
    user,
    [],
  );
  expect(forbidden).toEqual([
    {
      permission: { type: 'resource', group: '', resource: 'secrets', verb: 'get' },
      namespaces: ['default', 'other'],
      requests: 2,
    },
  ]);
});

test('an apply that may not create is forbidden to create', () => {
  const message = `deployments.apps "a" is forbidden: User "${user}" cannot create resource "deployments" in API group "apps" in the namespace "default"`;
  const { forbidden } = judgeAudit(
    [event('patch', 'apps/deployments', { ...apply, responseStatus: { code: 403, message } })],
    user,
    [],
  );
  expect(text(forbidden.map(({ permission }) => permission))).toEqual(['create apps/deployments']);
});

test('a connection to a Pod that is refused without a reason is forbidden to create', () => {
  const refused = { responseStatus: { code: 403, message: 'pods "one" is forbidden: ' } };
  const events = [event('get', '/pods/exec', { name: 'one', ...refused })];
  const report = judgeAudit(events, user, grantsOf([rule('/pods/exec', 'get')]));
  expect(text(report.forbidden.map(({ permission }) => permission))).toEqual(['create /pods/exec']);
});

test('a star that was used is reported with what was used of it, one that was not as unused', () => {
  const report = judgeAudit(
    [event('get', '/pods', { name: 'one' }), event('list', '/pods')],
    user,
    grantsOf([rule('/pods', '*'), rule('apps/*', 'get')]),
  );
  expect(text(report.unused)).toEqual(['get apps/*']);
  expect(report.openEnded.map(({ permission, used }) => [text([permission]), text(used)])).toEqual([
    [['* /pods'], ['get /pods', 'list /pods']],
  ]);
});

test('paths are permissions too', () => {
  const metrics = event('get', '/', { requestURI: '/metrics?x=1' });
  const { objectRef: _, ...request } = metrics;
  expect(unused([request], { nonResourceURLs: ['/metrics', '/healthz'], verbs: ['get'] })).toEqual([
    'get /healthz',
  ]);
});
