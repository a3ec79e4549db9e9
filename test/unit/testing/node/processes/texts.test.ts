// Paths, names and variables in what processes get.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Container, Pod, Secret } from '../../../../../src/sdk/k8s/generated/core/v1.ts';
import { environmentOf, expandVariables } from '../../../../../src/testing/node/processes/pod-environment.ts';
import { replaceMounts } from '../../../../../src/testing/node/processes/replace-mounts.ts';
import { processFor } from '../../../../../src/testing/node/processes/run-processes.ts';

describe('mount paths', () => {
  const mounts = { '/data': '/tmp/v/data', '/data/wal': '/tmp/v/wal', '/etc/app/': '/tmp/v/conf' };
  test.each([
    ['--data-dir=/data', '--data-dir=/tmp/v/data'],
    ['/data/db', '/tmp/v/data/db'],
    ['/data/wal/0', '/tmp/v/wal/0'],
    ['/var/data /database /data-2 x/data', '/var/data /database /data-2 x/data'],
    ['a:/data:b,/data', 'a:/tmp/v/data:b,/tmp/v/data'],
    ['/etc/app/redis.conf', '/tmp/v/conf/redis.conf'],
    ['/etc/app', '/tmp/v/conf'],
    ['file:///data/x', 'file:///data/x'],
  ])('%s', (text, expected) => {
    expect(replaceMounts(text, mounts)).toBe(expected);
  });

  test('a text without them stays as it is', () => {
    fc.assert(fc.property(fc.string(), (text) => replaceMounts(text, {}) === text));
  });
});

test.each([
  ['$(A)-$(B)', '1-$(B)'],
  ['$$(A)', '$(A)'],
  ['$A', '$A'],
  ['$(toString)', '$(toString)'],
  ['$(A', '$(A'],
])('variables: %s', (text, expected) => {
  expect(expandVariables(text, { A: '1' })).toBe(expected);
});

test('processes are chosen by image, the most exact name first', () => {
  const named = (name: string) => () => ({ file: name });
  const processes = {
    etcd: named('short'),
    'quay.io/x/etcd': named('repository'),
    'redis:7': named('exact'),
  };
  const chosen = (image: string) => processFor(processes, image)?.({} as never);
  expect(chosen('quay.io/x/etcd:v3@sha256:00')).toEqual({ file: 'repository' });
  expect(chosen('localhost:5000/etcd')).toEqual({ file: 'short' });
  expect(chosen('redis:7')).toEqual({ file: 'exact' });
  expect(chosen('redis:8')).toBeUndefined();
  expect(chosen('constructor')).toBeUndefined();
});

test('the environment is that of a kubelet', () => {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-0', namespace: 'ns', labels: { app: 'web' } },
    spec: { containers: [] },
  };
  const container: Container = {
    name: 'app',
    image: 'app',
    resources: { limits: { memory: '1500Ki' }, requests: { cpu: '250m' } },
    envFrom: [{ prefix: 'DB_', secretRef: { name: 'login' } }],
    env: [
      { name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
      { name: 'APP', valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
      { name: 'URL', value: 'http://$(DB_user)@$(IP)' },
      { name: 'MIB', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Mi' } } },
      { name: 'CPUS', valueFrom: { resourceFieldRef: { resource: 'requests.cpu' } } },
      { name: 'NO', valueFrom: { configMapKeyRef: { name: 'none', key: 'k', optional: true } } },
    ],
  };
  const secret = { data: { user: Buffer.from('anna').toString('base64') } } as unknown as Secret;
  const sources = { configMap: () => undefined, secret: () => secret };
  expect(environmentOf({ pod, podIP: '127.70.0.1', hostIP: '127.70.254.1' }, container, sources)).toEqual({
    ...{ DB_user: 'anna', NAME: 'web-0', IP: '127.70.0.1', APP: 'web', URL: 'http://anna@127.70.0.1' },
    ...{ MIB: '2', CPUS: '1' },
  });
});
