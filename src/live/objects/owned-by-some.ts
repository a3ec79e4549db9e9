import type { KubeObject } from '../../api/index.ts';
import type { FeedKind } from '../feed/messages.ts';

/** Whether an object is owned by one of these kinds, in whatever version: of a Deployment that somebody else made a page says nothing. */
export function ownedBySome(kinds: readonly FeedKind[]): (object: KubeObject) => boolean {
  const owners = new Set(kinds.map(({ group, kind }) => `${group} ${kind}`));
  return ({ metadata }) =>
    (metadata.ownerReferences ?? []).some(({ apiVersion, kind }) => {
      const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
      return owners.has(`${group} ${kind}`);
    });
}
