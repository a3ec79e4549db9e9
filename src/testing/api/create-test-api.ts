import { FindingList } from '../../base/errors/index.ts';
import { readCrdDefinitions } from '../manifest-files.ts';
import { rulesOf, type CrdDocument } from '../../kubernetes/crd/index.ts';
import { objectMetaSchema, subdomainProblems, type Schema } from '../../kubernetes/objects/index.ts';
import { builtInKinds } from './kinds/built-in-kinds.ts';
import { KindRegistry, type ServedKind } from './kinds/served-kind.ts';
import { InMemoryTestApi } from './in-memory-test-api.ts';
import type { TestApi, TestApiOptions } from './types.ts';

/**
 * An API server in memory, for unit tests of controllers. Like a real API server, it has schemas, defaults, conflicts, server-side apply,
 * watches and garbage collection. It starts in milliseconds and needs no binaries. Requests that it could not answer like a real API server
 * are refused with `testapi/unsupported`; docs/testing.md lists them.
 * @throws OpSdkError `testapi/unknown-kind`, `testapi/invalid-object`; the errors of the CRDs
 * @example
 * await using api = await createTestApi({ kinds: [Nginx, Deployment], objects: [nginx] });
 * api.add(nginxController);
 * await api.settle();
 * expect(await api.client.get(Deployment, key)).toMatchObject({ spec: { replicas: 2 } });
 */
export async function createTestApi(options: TestApiOptions): Promise<TestApi> {
  const crds = await readCrdDefinitions(options.crds);
  const custom = crds.map((crd) => customKinds(crd, options.cel));
  const registry = new KindRegistry([...builtInKinds(), ...(await Promise.all(custom)).flat()]);
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

/**
 * Returns the kinds that a CRD declares, one for each served version, with their CEL rules.
 * @param cel `assume-valid` leaves out the rules. Default: `evaluate`
 */
export async function customKinds(
  { spec }: CrdDocument,
  cel: TestApiOptions['cel'] = 'evaluate',
): Promise<readonly ServedKind[]> {
  const { group, scope, names, versions } = spec;
  const kinds = versions
    .filter(({ served }) => served)
    .map(async ({ name: version, schema, subresources, selectableFields = [] }) => {
      const { scale } = subresources ?? {};
      const root = schema.openAPIV3Schema as Schema;
      return {
        group,
        version,
        apiVersion: `${group}/${version}`,
        kind: names.kind,
        listKind: names.listKind ?? `${names.kind}List`,
        plural: names.plural,
        namespaced: scope === 'Namespaced',
        schema: {
          ...root,
          properties: {
            ...root.properties,
            apiVersion: { type: 'string' },
            kind: { type: 'string' },
            metadata: objectMetaSchema,
          },
        },
        rules: cel === 'evaluate' ? await rulesOf(root) : undefined,
        hasStatus: subresources?.status !== undefined,
        scale:
          scale === undefined
            ? undefined
            : {
                spec: scale.specReplicasPath.replace(/^\./, ''),
                status: scale.statusReplicasPath.replace(/^\./, ''),
                selector: scale.labelSelectorPath?.replace(/^\./, ''),
              },
        nameRule: subdomainProblems,
        selectableFields: selectableFields.map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
        builtIn: undefined,
      };
    });
  return Promise.all(kinds);
}
