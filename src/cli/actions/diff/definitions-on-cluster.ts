import type { PlacedDocument } from '../../../kubernetes/crd/diff/index.ts';
import { CustomResourceDefinition } from '../../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';

/**
 * The CustomResourceDefinitions of these names that are on the cluster.
 * @throws OpSdkError `kube/…`
 */
export async function definitionsOnCluster(
  client: KubeClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly PlacedDocument[]> {
  const found = await Promise.all(
    names.map((name) => client.find(CustomResourceDefinition, { name }, { signal })),
  );
  return found.flatMap((value) => {
    if (value === undefined) return [];
    const object = `CustomResourceDefinition ${value.metadata.name ?? ''} on the cluster`;
    return [
      {
        value,
        locate: (path: readonly (string | number)[]) => ({ object, path: `.${path.map(String).join('.')}` }),
      },
    ];
  });
}
