// What `op-sdk rbac audit` expects config/rbac/role.yaml to grant.
import { expect, test } from 'vitest';
import { outOfDate } from '../../../../src/cli/commands/rbac-audit.ts';
import type { AccessObject } from '../../../../src/compiler/manifests/permissions/read-access.ts';
import type { Permission } from '../../../../src/compiler/manifests/permissions/grant.ts';

const may = (resource: string): Permission => ({ type: 'resource', group: '', resource, verb: 'get' });
const role = (resource: string, namespace?: string): AccessObject => ({
  kind: namespace === undefined ? 'ClusterRole' : 'Role',
  name: 'manager-role',
  ...(namespace === undefined ? {} : { namespace }),
  grants: [may(resource)],
  where: { file: 'config/rbac/role.yaml' },
});

test('a Role of another namespace need not be bound in config, and may be', () => {
  const generated = [role('pods'), role('secrets', 'kube-public')];
  expect(outOfDate([may('pods')], generated)).toBeUndefined();
  expect(outOfDate([may('pods'), may('secrets')], generated)).toBeUndefined();
});

test('a permission too few or too many is out of date', () => {
  const code = 'manifests/out-of-date';
  expect(outOfDate([], [role('pods')])).toMatchObject({ code });
  expect(outOfDate([may('pods'), may('secrets')], [role('pods')])).toMatchObject({ code });
});
