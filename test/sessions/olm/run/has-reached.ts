import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import {
  CatalogSource,
  ClusterExtension,
  InstallPlan,
  Subscription,
} from '../../../../src/olm/run/run-names.ts';

/** Whether everything has happened before the step at which a stand-in stops, for the operator of a namespace of the same name. */
export async function hasReached(
  client: KubeClient,
  namespace: string,
  version: 'v0' | 'v1',
  step: string,
): Promise<boolean> {
  if (version === 'v1') {
    const { items } = await client.list(ClusterExtension);
    const own = items.find(({ metadata }) => metadata.name === namespace);
    return own !== undefined && (step === 'catalog' || 'status' in own);
  }
  const { items: subscriptions } = await client.list(Subscription, { namespace });
  const { items: sources } = await client.list(CatalogSource, { namespace });
  const { items: plans } = await client.list(InstallPlan, { namespace });
  const phase = (plans[0] as { status?: { phase?: string } } | undefined)?.status?.phase;
  switch (step) {
    case 'catalog':
      return subscriptions.length > 0;
    case 'plan':
      return subscriptions.length > 0 && sources.some((source) => 'status' in source);
    case 'unpack':
      return phase === 'Installing';
    default:
      return phase === 'Complete';
  }
}
