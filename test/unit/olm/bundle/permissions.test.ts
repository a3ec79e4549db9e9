import { describe, expect, test } from 'vitest';
import { codes, edited, refusals, type Loose, specOf, filesOf, warningsOf } from './objects.ts';

const account = 'nginx-operator-controller-manager';

const rbac = 'rbac.authorization.k8s.io';

/** Adds to a list of an object. */
const add = (list: Loose, ...items: readonly object[]): void => void (list as object[]).push(...items);

describe('accounts and their rules', () => {
  test('an account of the same name in another namespace is not the own one', () => {
    const moved = edited(
      'nginx-operator',
      (_, find) => void (find('ServiceAccount').metadata.namespace = 'elsewhere'),
    );
    expect(codes(refusals(moved))).toEqual(['bundle/missing-service-account', 'bundle/foreign-namespace']);
    const second = edited('nginx-operator', (all) => [
      ...all,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, namespace: 'elsewhere' } },
    ]);
    expect(codes(refusals(second))).toEqual(['bundle/foreign-namespace']);
  });

  test('an account that is bound by the name of its user', () => {
    const plain = edited('nginx-operator', () => undefined);
    const byUser = edited('nginx-operator', (_, find) => {
      find('ClusterRoleBinding').subjects = [
        {
          apiGroup: rbac,
          kind: 'User',
          name: `system:serviceaccount:nginx-operator-system:${account}`,
        },
      ];
    });
    expect(specOf(byUser)).toEqual(specOf(plain));
    const foreign = edited('nginx-operator', (_, find) => {
      add(find('ClusterRoleBinding').subjects, {
        apiGroup: rbac,
        kind: 'User',
        name: `system:serviceaccount:elsewhere:${account}`,
      });
    });
    expect(warningsOf(foreign)).toEqual([
      expect.stringMatching(
        /^bundle\/loose-service-account: .* binds the ServiceAccount .* in the namespace elsewhere/,
      ),
    ]);
  });

  test('all accounts of a namespace', () => {
    const objects = edited('nginx-operator', (_, find) => {
      add(
        find('ClusterRoleBinding').subjects,
        { apiGroup: rbac, kind: 'Group', name: 'system:serviceaccounts:nginx-operator-system' },
        { apiGroup: rbac, kind: 'Group', name: 'system:authenticated' },
      );
    });
    expect(warningsOf(objects)).toEqual([
      expect.stringMatching(/binds all ServiceAccounts of the namespace nginx-operator-system;/),
    ]);
    expect(filesOf(objects)).toContain(
      'nginx-operator-manager-rolebinding_rbac.authorization.k8s.io_v1_clusterrolebinding.yaml',
    );
  });

  test('rules for URLs, which hold nowhere in a namespace, and everywhere in a cluster', () => {
    const urls = { nonResourceURLs: ['/metrics'], verbs: ['get'] };
    const inCluster = edited('nginx-operator', (_, find) => {
      add(find('ClusterRole', 'nginx-operator-manager-role').rules, urls);
    });
    expect(specOf(inCluster).install.spec.clusterPermissions[0].rules).toContainEqual(urls);
    expect(warningsOf(inCluster)).toEqual([]);
    const inNamespace = edited('nginx-operator', (_, find) => {
      add(find('ClusterRole', 'nginx-operator-manager-role').rules, urls);
      const { subjects, roleRef } = find('ClusterRoleBinding');
      Object.assign(find('RoleBinding'), { subjects, roleRef });
    });
    expect(specOf(inNamespace).install.spec.permissions[0].rules).not.toContainEqual(urls);
    expect(warningsOf(inNamespace)).toEqual([expect.stringMatching(/^bundle\/rule-without-effect: /)]);
  });

  test('the rules of all roles that an account is bound to, a Role by its namespace', () => {
    const rule = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['list'] };
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'second' };
    const twoRoles = edited('nginx-operator', (all, find) => [
      ...all,
      { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: 'second' }, rules: [rule] },
      { ...find('ClusterRoleBinding'), metadata: { name: 'second' }, roleRef },
    ]);
    const plain = edited('nginx-operator', () => undefined);
    const [before] = specOf(plain).install.spec.clusterPermissions;
    const [after] = specOf(twoRoles).install.spec.clusterPermissions;
    expect(after.rules).toEqual([...before.rules, rule]);

    const elsewhere = edited('nginx-operator', (_, find) => {
      find('Role').metadata.namespace = 'elsewhere';
    });
    expect(codes(refusals(elsewhere))).toContain('bundle/missing-role');
  });

  test('names of resources stay with their rules', () => {
    const rule = { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] };
    const objects = edited('nginx-operator', (_, find) => add(find('Role').rules, rule));
    expect(specOf(objects).install.spec.permissions[0].rules).toContainEqual(rule);
  });

  test('a role that becomes part of others is in the ClusterServiceVersion and a file', () => {
    const file = 'nginx-operator-manager-role_rbac.authorization.k8s.io_v1_clusterrole.yaml';
    const plain = edited('nginx-operator', () => undefined);
    const aggregated = edited('nginx-operator', (_, find) => {
      find('ClusterRole', 'nginx-operator-manager-role').metadata.labels = {
        [`${rbac}/aggregate-to-admin`]: 'true',
      };
    });
    expect(filesOf(plain)).not.toContain(file);
    expect(filesOf(aggregated)).toContain(file);
    expect(specOf(aggregated).install).toEqual(specOf(plain).install);
  });
});
