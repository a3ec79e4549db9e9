import { FindingList } from '../../base/errors/index.ts';
import { readCrdDefinitions } from '../crds/read-crd-definitions.ts';
import { builtInKinds } from './kinds/built-in-kinds.ts';
import { customKinds } from './kinds/custom-kinds.ts';
import { KindRegistry } from './kinds/registry.ts';
import { InMemoryTestApi } from './in-memory-test-api.ts';
import type { TestApi, TestApiOptions } from './types.ts';

/**
 * An API server in memory, for unit tests of controllers: with schemas, defaults, conflicts, server-side apply, watches and garbage collection as the real
 * one. It starts in milliseconds and needs no binaries. What it does not do as the real one would, it refuses with `testapi/unsupported`;
 * docs/testing.md says what that is.
 *
 * @throws OpSdkError `testapi/unknown-kind`, `testapi/invalid-object`; what is wrong with the CRDs
 *
 * @example
 * await using api = await createTestApi({ kinds: [Nginx, Deployment], objects: [nginx] });
 * api.add(nginxController);
 * await api.settle();
 * expect(await api.client.get(Deployment, key)).toMatchObject({ spec: { replicas: 2 } });
 */
export async function createTestApi(options: TestApiOptions): Promise<TestApi> {
  const crds = await readCrdDefinitions(options.crds);
  const registry = new KindRegistry([...builtInKinds(), ...crds.flatMap(customKinds)]);
  const findings = new FindingList();
  for (const { apiVersion, kind } of options.kinds) {
    if (registry.ofType(apiVersion, kind) !== undefined) continue;
    const isCustom = /\./.test(apiVersion) && !/\.k8s\.io\//.test(apiVersion);
    findings.add({
      code: 'testapi/unknown-kind',
      message: `kinds: the test API has no schema of ${apiVersion} ${kind}`,
      fix: isCustom
        ? ['run op-sdk generate manifests, or name the file of its CustomResourceDefinition in crds']
        : ['test it against a real API server: startControlPlane of opsdk/testing'],
    });
  }
  findings.throwIfAny();
  const api = new InMemoryTestApi(options, registry);
  try {
    await api.start();
  } catch (error) {
    await api[Symbol.asyncDispose]();
    throw error;
  }
  return api;
}
