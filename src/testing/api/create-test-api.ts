import { FindingList, type Finding } from '../../base/errors/index.ts';
import type { Resource } from '../../sdk/api/index.ts';
import { readCrdDefinitions } from '../manifest-files.ts';
import { rulesOf, type CrdDocument } from '../../kubernetes/crd/index.ts';
import { objectMetaSchema, subdomainProblems, type Schema } from '../../kubernetes/objects/index.ts';
import { builtInKinds, isNotStored } from './kinds/built-in-kinds.ts';
import { KindRegistry, type ServedKind } from './kinds/served-kind.ts';
import { InMemoryTestApi } from './in-memory-test-api.ts';
import { isBuiltInGroup } from './requests/route.ts';
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
  for (const kind of options.kinds)
    if (registry.ofType(kind.apiVersion, kind.kind) === undefined) findings.add(unknownKind(kind));
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

function unknownKind(resource: Resource): Finding {
  const { apiVersion, kind } = resource;
  const code = 'testapi/unknown-kind';
  const realServer = 'against a real API server: startControlPlane of opsdk/testing';
  if (!isBuiltInGroup(resource.group))
    return {
      code,
      message: `kinds: the test API has no schema of ${apiVersion} ${kind}`,
      fix: ['run op-sdk generate manifests, or name the file of its CustomResourceDefinition in crds'],
    };
  return isNotStored(resource)
    ? {
        code,
        message: `kinds: the API server stores no objects of ${apiVersion} ${kind}, and the test API does not answer for it`,
        fix: ['remove it from kinds', `test the code that creates it ${realServer}`],
      }
    : {
        code,
        message: `kinds: the test API has no schema of ${apiVersion} ${kind}`,
        fix: [`test it ${realServer}`],
      };
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
