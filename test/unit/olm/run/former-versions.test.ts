import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { isLeftOf, replacedVersions } from '../../../../src/olm/run/cleanup/package-objects.ts';

const csv = (name: string, namespace: string): KubeObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name, namespace },
});
const role = (labels: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'web-viewer', labels: { 'olm.managed': 'true', ...labels } },
});
const owner = (name: string) => ({ 'olm.owner': name });
const ofOperator = (name: string, namespace: string) => ({
  ...{ 'olm.owner': name, 'olm.owner.kind': 'ClusterServiceVersion', 'olm.owner.namespace': namespace },
});

const all = [
  csv('web.v0.3.0', 'web'),
  csv('other.v1.0.0', 'web'),
  csv('kept.v0.9.0', 'web'),
  csv('web-extra.v1.0.0', 'elsewhere'),
];
const own = {
  packageName: 'web',
  namespace: 'web',
  csvs: new Set(['web.v0.3.0']),
  formerCsvs: new Set(['first.v0.0.1', 'kept.v0.9.0']),
  all,
};

describe('what OLM v0 leaves of a package', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['of the bundle of the version that is installed', owner('web.v0.3.0')],
    ['of the operator of that version', ofOperator('web.v0.3.0', 'web')],
    ['of a former version, whose InstallPlan is gone', owner('web.v0.1.0')],
    ['of a pre-release', owner('web.v0.3.0-rc.1')],
    ['of a former version by another name, which is known', owner('first.v0.0.1')],
    ['with the label of the package', { ...owner('renamed.v7'), 'operators.coreos.com/web.web': '' }],
  ])('is %s', (_, labels) => {
    expect(isLeftOf(role(labels), own)).toBe(true);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['of another package of the namespace', owner('other.v1.0.0')],
    ['of a package whose name begins the same', owner('web-extra.v0.9.0')],
    ['of what the version replaces, if another package has it now', owner('kept.v0.9.0')],
    ['of an operator in another namespace', ofOperator('web.v0.3.0', 'elsewhere')],
    ['of a later version', owner('web.v0.4.0')],
    ['of what is not a version', owner('web.vnext')],
    ['of another kind of owner', { ...owner('web.v0.1.0'), 'olm.owner.kind': 'APIService' }],
    ['of no owner', {}],
    ['not of OLM', { 'olm.managed': 'false', ...owner('web.v0.1.0') }],
    [
      'with the label of the package in another namespace',
      { ...owner('x.v1'), 'operators.coreos.com/web.b': '' },
    ],
  ])('is not %s', (_, labels) => {
    expect(isLeftOf(role(labels), own)).toBe(false);
  });

  test.each([
    ['the version', 'web.v0.2.0'],
    ['another version', 'web.v0.1.0'],
    ['a version that is installed here', 'web.v0.3.0'],
  ])('is not of %s of an operator that is installed in another namespace too', (_, name) => {
    const both = { ...own, all: [...all, csv('web.v0.2.0', 'elsewhere')] };
    expect(isLeftOf(role(owner(name)), both)).toBe(false);
    expect(isLeftOf(role({ ...owner(name), 'operators.coreos.com/web.web': '' }), both)).toBe(false);
    // Those that OLM makes for the operator itself are of one namespace.
    expect(isLeftOf(role(ofOperator('web.v0.3.0', 'web')), both)).toBe(true);
  });

  test('includes what the versions say that they replace and skip', () => {
    const later = { ...csv('web.v2', 'web'), spec: { replaces: 'web.v1', skips: ['web.beta'] } };
    expect(replacedVersions([later, csv('a', 'web')])).toEqual(['web.v1', 'web.beta']);
  });
});
