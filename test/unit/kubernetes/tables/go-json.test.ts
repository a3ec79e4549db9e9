import { describe, expect, it } from 'vitest';
import { clone, type JsonObject } from '../../../../src/kubernetes/objects/index.ts';
import { kindsInTables, normalizeGoJson, tableNameOfKind } from '../../../../src/kubernetes/tables/index.ts';
import { createRandom } from '../../../helpers/random.ts';
import { randomOfType } from '../../../helpers/random-built-in.ts';

const normalized = (apiVersion: string, kind: string, object: JsonObject): JsonObject => {
  normalizeGoJson(object, tableNameOfKind(apiVersion, kind) ?? '');
  return object;
};

describe('normalizeGoJson', () => {
  it('omits zero values, keeps zero values of pointers', () => {
    expect(
      normalized('apps/v1', 'Deployment', {
        spec: { replicas: 0, paused: false, minReadySeconds: 0, selector: {}, template: null },
      }),
    ).toEqual({
      metadata: {},
      spec: {
        replicas: 0,
        selector: {},
        template: { metadata: {}, spec: { containers: null } },
        strategy: {},
      },
      status: {},
    });
  });

  it('writes fields that Go always writes', () => {
    expect(normalized('v1', 'ConfigMap', { data: {}, binaryData: null, immutable: false })).toEqual({
      metadata: {},
      immutable: false,
    });
    expect(normalized('apps/v1', 'StatefulSet', { spec: {} })).toMatchObject({
      spec: { serviceName: '', selector: null },
      status: { replicas: 0, availableReplicas: 0 },
    });
  });

  it.each([
    ['1024Mi', '1Gi'],
    ['0.5', '500m'],
    [1, '1'],
    ['1e3', '1e3'],
    ['1000m', '1'],
  ])('brings the quantity %j to %j', (value, expected) => {
    const spec = { resources: { requests: { storage: value } } };
    expect(normalized('v1', 'PersistentVolumeClaim', { spec })).toMatchObject({
      spec: { resources: { requests: { storage: expected } } },
    });
  });

  it('changes nothing the second time', () => {
    const random = createRandom(7);
    for (const { group, version, kind } of kindsInTables()) {
      const type = tableNameOfKind(group === '' ? version : `${group}/${version}`, kind) ?? '';
      for (let round = 0; round < 20; round += 1) {
        const object = randomOfType(random, type);
        normalizeGoJson(object, type);
        const once = clone(object);
        normalizeGoJson(object, type);
        expect(object, kind).toEqual(once);
      }
    }
  });
});
