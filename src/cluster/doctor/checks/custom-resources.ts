import { externalResource } from '../../../sdk/api/index.ts';
import {
  isForbidden,
  isNotFound,
  isTypeNotServed,
  resourcePath,
  type KubeClient,
} from '../../../sdk/kube/index.ts';
import type { UsedKind } from '../../../compiler/manifests/index.ts';
import { layout } from '../../../project/project/index.ts';
import { defineCheck, ok, skipped, warning } from '../check.ts';

/** Checks that there is an object of any kind that the operator reconciles: without one it does nothing. */
export const customResources = defineCheck({
  name: 'custom-resources',
  needs: ['project', 'kinds', 'cluster'],
  async run({ kinds, cluster: { client } }, { signal }) {
    const reconciled = kinds.used.filter(({ role }) => role === 'for');
    if (reconciled.length === 0) return skipped('the project has no controller yet');
    const counts: string[] = [];
    let readable = 0;
    for (const kind of reconciled) {
      const found = await hasObjects(client, kind, signal);
      if (found !== undefined) readable++;
      if (found === true) counts.push(kind.kind);
    }
    if (counts.length > 0) return ok(`there are objects of ${counts.join(', ')}`);
    if (readable === 0) return skipped('the cluster does not serve the kinds, or you may not list them');
    const names = reconciled.map(({ kind }) => kind).join(', ');
    return warning(
      'cluster/no-custom-resource',
      `the cluster has no object of ${names}, so the operator has nothing to do`,
      `create one, such as those of ${layout.samples}: kubectl apply -k ${layout.samples}`,
    );
  },
});

/** @returns undefined if nobody can tell */
async function hasObjects(
  client: KubeClient,
  kind: UsedKind,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const { group, version, plural } = kind;
  const token = externalResource({
    group,
    version,
    kind: kind.kind,
    plural,
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
  });
  try {
    const answer = await client.raw.request({ path: resourcePath(token, {}), query: { limit: 1 }, signal });
    return (answer.json<{ readonly items?: readonly unknown[] }>().items ?? []).length > 0;
  } catch (error) {
    if (isForbidden(error) || isTypeNotServed(error) || isNotFound(error)) return undefined;
    throw error;
  }
}
