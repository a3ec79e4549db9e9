import type { Step } from './next-step.ts';
import { hasSlots, masterOf, type Member, type Observed } from './observed.ts';

/**
 * Plans the next replacement of a Pod whose template is outdated: replicas first, then their masters, each after a replica has its role. One
 * Pod of the whole cluster at a time, which the steps before this one wait for.
 */
export function planRestart({ members, wanted, hasClaims }: Observed): Step | undefined {
  const outdated = members.filter(({ isOutdated, shard }) => isOutdated && wanted.includes(shard));
  if (outdated.length === 0) return undefined;
  const replica = outdated.find((member) => !hasSlots(member));
  if (replica !== undefined) return { type: 'ReplacePod', pod: replica.name };
  for (const master of outdated) {
    const successor = replicasOf(members, master).at(0);
    if (successor !== undefined) return { type: 'FailOver', replica: successor, reason: 'Update' };
    if (hasClaims) return { type: 'ReplacePod', pod: master.name };
  }
  const names = outdated.map(({ name }) => name).join(', ');
  return {
    type: 'UpdateBlocked',
    message: `Pods have the only copy of their keys and no claim: ${names}. Delete them to update them without their keys`,
  };
}

/**
 * Plans a failover that brings masters to nodes of Kubernetes with fewer of them, so that the loss of one node costs as few masters as
 * possible: after a loss of more than half of them nobody can vote.
 */
export function planFailOver({ members, wanted }: Observed): Step | undefined {
  const masters = wanted.flatMap((shard) => masterOf(members, shard) ?? []);
  const loadOf = (nodeName: string): number =>
    masters.filter((master) => master.nodeName === nodeName).length;
  const swaps = masters.flatMap((master) =>
    replicasOf(members, master).map((replica) => ({
      replica,
      // Less than 2 only moves the load.
      gain: loadOf(master.nodeName) - loadOf(replica.nodeName),
    })),
  );
  const [best] = swaps.filter(({ gain }) => gain >= 2).sort((a, b) => b.gain - a.gain);
  return best && { type: 'FailOver', replica: best.replica, reason: 'Spread' };
}

function replicasOf(members: readonly Member[], { self }: Member): readonly Member[] {
  return members.filter((member) => member.self.master === self.id);
}
