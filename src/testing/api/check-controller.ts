import { FindingList } from '../../base/errors/index.ts';
import type { Controller } from '../../sdk/runtime/index.ts';
import type { KindRegistry } from './kinds/registry.ts';
import { unsupportedHere } from './unsupported.ts';

/**
 * Checks that the test API serves every kind that a controller watches: the cache would wait without end for a kind that is not served.
 *
 * @throws OpSdkError `testapi/unknown-kind`, `testapi/unsupported` with everything that is missing
 */
export function checkController(controller: Controller, registry: KindRegistry): void {
  const findings = new FindingList();
  const kinds = [
    controller.for,
    ...controller.owns.map(({ resource }) => resource),
    ...controller.watches.filter(({ cluster }) => cluster === undefined).map(({ resource }) => resource),
  ];
  for (const { apiVersion, kind } of kinds)
    if (registry.ofType(apiVersion, kind) === undefined)
      findings.add({
        code: 'testapi/unknown-kind',
        message: `controller ${controller.name}: the test API has no schema of ${apiVersion} ${kind}`,
        fix: [
          'name the file of its CustomResourceDefinition in crds',
          'or test it against a real API server: startControlPlane of opsdk/testing',
        ],
      });
  for (const { resource, cluster } of controller.watches)
    if (cluster !== undefined)
      findings.add(
        ...unsupportedHere(
          `other clusters: controller ${controller.name} watches ${resource.kind} in the cluster ${cluster.name}`,
          'test what does not depend on it with a controller that has no such watch',
        ).findings,
      );
  findings.throwIfAny();
}
