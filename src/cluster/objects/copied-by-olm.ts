import type { KubeObject } from '../../sdk/api/index.ts';

const copiedFrom = 'olm.copiedFrom';

/** Selects the ClusterServiceVersions that OLM has not copied. */
export const notCopied = `!${copiedFrom}`;

/** True if OLM copied an object, a ClusterServiceVersion, into a namespace that its operator watches: the copy goes with its source. */
export function isCopiedByOlm({ metadata }: Pick<KubeObject, 'metadata'>): boolean {
  return metadata.labels?.[copiedFrom] !== undefined;
}
