import type { KubeObject } from '../../../sdk/api/index.ts';
import type { FeedKind } from '../feed/messages.ts';

/** Makes a test for objects owned by one of these kinds, in any version: a page does not show Deployments that others have made. */
export function ownedBySome(kinds: readonly FeedKind[]): (object: KubeObject) => boolean {
  const owners = new Set(kinds.map(({ group, kind }) => `${group} ${kind}`));
  return ({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ apiVersion, kind }) => {
      const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
      return owners.has(`${group} ${kind}`);
    });
}
