import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../../../../src/sdk/api/index.ts';
import { catalogueState } from '../../../../src/olm/install/status/olm-status.ts';
import { stateFindings, type OlmState } from '../../../../src/olm/install/index.ts';
import { objectHealth } from '../../../../src/olm/install/status/find-olms.ts';

const object = (status: object, more: object = {}): KubeObject =>
  ({ metadata: { name: 'x', generation: 1 }, status, ...more }) as unknown as KubeObject;
const condition = (type: string, status: string, more: object = {}) => ({ type, status, ...more });

describe('the health of an object', () => {
  test.each([
    ['Namespace', object({ phase: 'Active' })],
    ['ClusterRole', { metadata: { name: 'x' } } as KubeObject],
    ['Deployment', object({ observedGeneration: 1, replicas: 1, updatedReplicas: 1, availableReplicas: 1 })],
    ['CustomResourceDefinition', object({ conditions: [condition('Established', 'True')] })],
    ['ClusterServiceVersion', object({ phase: 'Succeeded' })],
    ['Certificate', object({ conditions: [condition('Ready', 'True')] })],
    ['Certificate', object({})],
  ])('%s is installed', (kind, live) => {
    expect(objectHealth(kind, live)).toEqual({ status: 'Installed' });
  });

  test('is missing where there is none', () => {
    expect(objectHealth('Deployment', undefined)).toEqual({ status: 'Missing' });
  });

  test.each([
    ['Deployment', object({ observedGeneration: 1 }), '0 of 1 new replicas exist'],
    ['CustomResourceDefinition', object({}), 'it is not established'],
    [
      'CustomResourceDefinition',
      object({ conditions: [condition('NamesAccepted', 'False', { message: 'taken' })] }),
      'it is not established: taken',
    ],
    ['ClusterServiceVersion', object({}), 'OLM has not seen it yet'],
    [
      'ClusterServiceVersion',
      object({ phase: 'Failed', reason: 'InstallCheckFailed', message: 'install timeout' }),
      'its phase is Failed (InstallCheckFailed): install timeout',
    ],
    [
      'ClusterServiceVersion',
      object({
        phase: 'Pending',
        reason: 'RequirementsNotMet',
        requirementStatus: [
          { kind: 'ServiceAccount', name: 'web', status: 'Present', message: '' },
          { kind: 'ServiceAccount', name: 'db', status: 'NotPresent', message: 'does not exist' },
        ],
      }),
      'its phase is Pending (RequirementsNotMet); ServiceAccount db: does not exist',
    ],
    [
      'Certificate',
      object({ conditions: [condition('Ready', 'False', { reason: 'Issuing', message: 'not issued' })] }),
      'its condition Ready is False: Issuing: not issued',
    ],
    [
      'Namespace',
      { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } } as KubeObject,
      'it is being deleted',
    ],
  ])('%s is unhealthy', (kind, live, reason) => {
    expect(objectHealth(kind, live)).toEqual({ status: 'Unhealthy', reason });
  });
});

describe('a catalogue', () => {
  const source = (lastObservedState?: string, more: object = {}) =>
    catalogueState(
      'v0',
      object({
        connectionState: lastObservedState === undefined ? undefined : { lastObservedState },
        ...more,
      }),
    );

  test.each(['READY', 'IDLE'])('of v0 that is %s is served', (state) => {
    expect(source(state)).toEqual({ name: 'x', serving: true, state });
  });

  test('of v0 is not served otherwise', () => {
    expect(source('TRANSIENT_FAILURE')).toMatchObject({ serving: false, state: 'TRANSIENT_FAILURE' });
    expect(source()).toMatchObject({ serving: false, state: 'not seen by OLM yet' });
    expect(source(undefined, { message: 'bad image' })).toMatchObject({
      state: 'not seen by OLM yet: bad image',
    });
  });

  test('of v1 is served by its condition', () => {
    const live = (...conditions: object[]) => catalogueState('v1', object({ conditions }));
    expect(live(condition('Serving', 'True'))).toEqual({ name: 'x', serving: true, state: 'Serving' });
    expect(
      live(
        condition('Serving', 'False', { reason: 'Unavailable' }),
        condition('Progressing', 'True', { reason: 'Retrying', message: 'manifest unknown' }),
      ),
    ).toMatchObject({ serving: false, state: 'Retrying: manifest unknown' });
    expect(live()).toMatchObject({ serving: false, state: 'not seen by OLM yet' });
  });
});

test('what is wrong with an OLM: objects fail a command, catalogues warn', () => {
  const place = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'olm' };
  const state: OlmState = {
    olm: 'v0',
    version: '0.46.0',
    namespace: 'olm',
    objects: [
      { ...place, name: 'a', status: 'Installed' },
      { ...place, name: 'b', status: 'Missing' },
      { ...place, name: 'c', status: 'Unhealthy', reason: 'no Pods' },
    ],
    catalogues: [
      { name: 'good', namespace: 'olm', serving: true, state: 'READY' },
      { name: 'bad', namespace: 'olm', serving: false, state: 'CONNECTING' },
    ],
  };
  const { errors, warnings } = stateFindings(state);
  expect(errors).toEqual([
    {
      code: 'olm/unhealthy',
      message:
        'OLM v0: 2 of 3 objects are missing or unhealthy\nDeployment olm/b: Missing\nDeployment olm/c: Unhealthy: no Pods',
      fix: ['create what is missing: op-sdk olm install --olm v0 --version 0.46.0'],
    },
  ]);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    ['olm/catalog-not-serving', 'OLM v0: the catalogue olm/bad is not served: CONNECTING'],
  ]);
  expect(stateFindings({ ...state, objects: [], catalogues: [] })).toEqual({ errors: [], warnings: [] });
});
