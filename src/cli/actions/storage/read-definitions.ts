import { readStoredDefinition, type StoredDefinition } from '../../../cluster/storage/index.ts';
import { refusalAfter } from '../../../cluster/apply/refusal.ts';
import { FindingList } from '../../../base/errors/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';

/**
 * The definitions of these names on a cluster.
 *
 * @throws OpSdkError `cluster/crd-not-installed` for each that is not there, `cluster/forbidden`
 */
export async function readStored(
  client: KubeClient,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly StoredDefinition[]> {
  const findings = new FindingList();
  const found: StoredDefinition[] = [];
  for (const name of names) {
    const title = `CustomResourceDefinition ${name}`;
    try {
      const definition = await readStoredDefinition(client, name, signal);
      if (definition !== undefined) found.push(definition);
      else
        findings.add({
          code: 'cluster/crd-not-installed',
          message: `${title} is not on the cluster`,
          where: { object: title },
          fix: ['op-sdk install'],
        });
    } catch (error) {
      findings.add(...refusalAfter(findings.all, error, { title, where: { object: title } }));
    }
  }
  findings.throwIfAny();
  return found;
}
