import type { KubeObject } from '../../api/index.ts';

/** Whether OLM copied an object, a ClusterServiceVersion, into a namespace that its operator watches: the copy goes with its source. */
export function isCopiedByOlm({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.['olm.copiedFrom'] !== undefined;
}
