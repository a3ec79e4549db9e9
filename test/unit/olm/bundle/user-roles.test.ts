import { expect, test } from 'vitest';
import { withoutUserRoles } from '../../../../src/olm/bundle/permissions.ts';
import type { PlacedObject } from '../../../../src/kubernetes/yaml/index.ts';

const placed = (kind: string, name: string, more: object): PlacedObject => ({
  object: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name, labels: { [name]: 'true' } },
    ...more,
  },
  where: { file: 'x.yaml', line: 1, column: 1 },
});

test.each([{ matchLabels: { part: 'true' } }, { matchExpressions: [{ key: 'part', operator: 'Exists' }] }])(
  'a role that another one takes in stays: %j',
  (selector) => {
    const rules = [{ apiGroups: ['example.com'], resources: ['memos'], verbs: ['get'] }];
    const roles = [
      placed('ClusterRole', 'part', { rules }),
      placed('ClusterRole', 'viewer', { rules }),
      placed('ClusterRole', 'whole', { aggregationRule: { clusterRoleSelectors: [selector] } }),
    ];
    const crds = [
      placed('CustomResourceDefinition', 'memos.example.com', { spec: { group: 'example.com' } }),
    ];
    const { left } = withoutUserRoles(roles, crds);
    expect(left.map(({ object }) => object.metadata.name)).toEqual(['viewer']);
  },
);
