import { FindingList } from '../../../base/errors/index.ts';
import { crdsOf, type ReadCrd } from '../../../kubernetes/crd/index.ts';
import { CustomResourceDefinition } from '../../../sdk/k8s/generated/apiextensions/v1.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { connect } from '../cluster/connect.ts';
import type { SourcesRead } from './read-sources.ts';

/**
 * CRDs that are installed on a cluster.
 * @param names such as `certificates.cert-manager.io`
 * @throws OpSdkError with the findings of all names
 */
export async function readCluster(
  context: CliContext,
  options: ClusterOptions,
  names: readonly string[],
): Promise<SourcesRead> {
  const client = await connect(context, options);
  const findings = new FindingList();
  const crds: ReadCrd[] = [];
  try {
    for (const name of [...new Set(names)]) {
      const where = { object: `CustomResourceDefinition ${name}` };
      await findings.gather(async () => {
        const found = await client.get(CustomResourceDefinition, { name }, { signal: context.signal });
        // Objects of a cluster need not say what they are.
        const value = { ...found, apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
        crds.push(...crdsOf([{ value, locate: () => where }]).crds);
      });
    }
  } finally {
    await client.close();
  }
  findings.throwIfAny();
  return { crds, warnings: [], errors: [] };
}
