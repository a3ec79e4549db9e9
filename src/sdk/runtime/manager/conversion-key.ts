import { inClusterSource, podNamespace, type Cluster } from '../../kube/index.ts';
import { durationMs } from '../duration.ts';
import type { ConversionKeySettings } from '../webhook/conversion-key/settings.ts';
import type { WebhooksOptions } from './webhooks-options.ts';

/**
 * The Secret of the key that signs the data of conversions: the one that is named, or in a Pod the manager's own.
 *
 * @returns undefined: a key of the process, as outside of a Pod without a name
 * @throws OpSdkError `runtime/invalid-duration`
 */
export async function conversionKeySettings(
  manager: string,
  { conversionKey = {} }: WebhooksOptions,
  { source, namespace: ofCluster }: Pick<Cluster, 'source' | 'namespace'>,
): Promise<ConversionKeySettings | undefined> {
  const { secret, namespace, rotateAfter = '90d' } = conversionKey;
  if (secret === undefined && namespace === undefined && source !== inClusterSource) return undefined;
  return {
    name: secret ?? `${manager.toLowerCase().replaceAll('_', '-')}-conversion-key`,
    namespace: namespace ?? (await podNamespace(process.env)) ?? ofCluster,
    rotateAfter: durationMs(rotateAfter),
  };
}
