import { expect, test } from 'vitest';
import type { ConfigMap, Container, Pod, Secret, Volume } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import {
  environmentProblem,
  volumeProblem,
  type ConfigSources,
} from '../../../../src/testing/node/pod-references.ts';

const sources: ConfigSources = {
  configMap: (namespace, name) =>
    namespace === 'ns' && name === 'settings'
      ? ({ data: { color: 'red' } } as unknown as ConfigMap)
      : undefined,
  secret: (namespace, name) =>
    namespace === 'ns' && name === 'login' ? ({ data: { user: 'YQ==' } } as unknown as Secret) : undefined,
};

function podOf(container: Partial<Container>, volumes: readonly Volume[] = []): [Pod, Container] {
  const whole: Container = { name: 'app', image: 'app', ...container };
  const spec = { containers: [whole], volumes: [...volumes] };
  return [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'ns' }, spec }, whole];
}

test.each<[string, Volume, string | undefined]>([
  ['a ConfigMap that is there', { name: 'v', configMap: { name: 'settings' } }, undefined],
  ['a missing ConfigMap', { name: 'v', configMap: { name: 'no' } }, 'configmap "no" not found'],
  ['an optional one', { name: 'v', configMap: { name: 'no', optional: true } }, undefined],
  [
    'a missing key',
    { name: 'v', configMap: { name: 'settings', items: [{ key: 'size', path: 'size' }] } },
    'references non-existent config key: size',
  ],
  ['a missing Secret', { name: 'v', secret: { secretName: 'no' } }, 'secret "no" not found'],
  ['a Secret that is there', { name: 'v', secret: { secretName: 'login' } }, undefined],
  [
    'a projection',
    { name: 'v', projected: { sources: [{ secret: { name: 'no' } }] } },
    'secret "no" not found',
  ],
  [
    'the certificate that comes with each namespace',
    { name: 'v', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }] } },
    undefined,
  ],
  ['an empty directory', { name: 'v', emptyDir: {} }, undefined],
])('volumes: %s', (_title, volume, expected) => {
  const [pod] = podOf({}, [volume]);
  const whole = expected && `MountVolume.SetUp failed for volume "v" : ${expected}`;
  expect(volumeProblem(pod, sources)).toBe(whole);
});

test.each<[string, Partial<Container>, string | undefined]>([
  ['a ConfigMap that is there', { envFrom: [{ configMapRef: { name: 'settings' } }] }, undefined],
  ['a missing ConfigMap', { envFrom: [{ configMapRef: { name: 'no' } }] }, 'configmap "no" not found'],
  ['an optional Secret', { envFrom: [{ secretRef: { name: 'no', optional: true } }] }, undefined],
  [
    'a missing key',
    { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'size' } } }] },
    "couldn't find key size in ConfigMap ns/settings",
  ],
  [
    'a missing key of a Secret',
    { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'login', key: 'password' } } }] },
    "couldn't find key password in Secret ns/login",
  ],
  ['values', { env: [{ name: 'A', value: '1' }] }, undefined],
])('environment: %s', (_title, container, expected) => {
  expect(environmentProblem(...podOf(container), sources)).toBe(expected);
});
