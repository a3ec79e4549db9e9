import type { Finding } from '../../base/errors/index.ts';
import { shownNames, someNames } from '../objects/some-names.ts';
import { partOfLabel } from './apply-set.ts';
import type { Member } from './members.ts';

/** @param fix how to delete them */
export function leftOverFinding(members: readonly Member[], fix: readonly string[]): Finding {
  return {
    code: 'cluster/left-over',
    message: `no longer in the manifests, and still on the cluster: ${namesOf(members)}`,
    fix,
  };
}

/** Reports members that cannot be brought back, and are therefore kept. */
export function keptFinding(members: readonly Member[]): Finding {
  return {
    code: 'cluster/not-pruned',
    message: `no longer in the manifests, and never pruned: ${namesOf(members)}`,
    fix: members.slice(0, shownNames).flatMap(({ resource, key }, index) => {
      const type = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
      const place = key.namespace === undefined ? '' : ` --namespace ${key.namespace}`;
      return [
        `${index === 0 ? 'delete it by hand: ' : ''}kubectl delete ${type} ${key.name}${place}`,
        `or keep it: kubectl label ${type} ${key.name}${place} ${partOfLabel}-`,
      ];
    }),
  };
}

/** Reports that there may be more members than are known. */
export function unreadFinding(unread: ReadonlyMap<string, string>): Finding {
  return {
    code: 'cluster/members-not-listed',
    message: `what has left the manifests may be incomplete: ${[...unread].map(([kind, reason]) => `${kind}: ${reason}`).join('; ')}`,
    fix: ['use a kubeconfig context whose user may list these kinds'],
  };
}

function namesOf(members: readonly Member[]): string {
  return someNames(
    members.map(({ title, key }) =>
      key.namespace === undefined ? title : `${title} (namespace ${key.namespace})`,
    ),
  );
}
