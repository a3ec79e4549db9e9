import { isDeepStrictEqual } from 'node:util';
import { isOpSdkError, type Finding } from '../../base/errors/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/manifest-object.ts';
import { applyObjects } from '../apply/apply-objects.ts';
import { installableCrds } from '../apply/installable-crds.ts';
import { isCrd } from '../objects/crd-types.ts';

/**
 * Compares the CustomResourceDefinitions on a cluster with those of the project. Asks the server what applying them
 * would change, by dry runs; who may not do that gets no answer.
 *
 * @returns `cluster/crd-outdated` for each that differs
 * @throws OpSdkError with what the server would refuse
 */
export async function checkDefinitions(
  client: KubeClient,
  objects: readonly PlacedObject[],
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const definitions = objects.filter(({ object }) => isCrd(object));
  if (definitions.length === 0) return [];
  try {
    const installable = await installableCrds(client, definitions, signal);
    const applied = await applyObjects({ client, objects: installable.objects, dryRun: true, signal });
    const checked = applied.map(async ({ object: { key, where }, live }): Promise<readonly Finding[]> => {
      const found = await client.find(CustomResourceDefinition, key, { signal });
      const wanted = live as CustomResourceDefinition | undefined;
      if (found === undefined || wanted === undefined) return [];
      return isDeepStrictEqual(found.spec, wanted.spec) ? [] : [outdated(key.name, where)];
    });
    return (await Promise.all(checked)).flat();
  } catch (error) {
    if (isOpSdkError(error) && error.findings.every(({ code }) => code === 'cluster/forbidden')) return [];
    throw error;
  }
}

function outdated(name: string, where: Finding['where']): Finding {
  return {
    code: 'cluster/crd-outdated',
    message: `the CustomResourceDefinition ${name} on the cluster differs from that of the project`,
    ...(where === undefined ? {} : { where }),
    fix: ['run `op-sdk install`'],
  };
}
