import type { RestoreSource } from '../etcd/restore-source.ts';
import { upgradeProblem } from '../etcd/version.ts';
import { lowestVersion, tokenOf, wantedVersion, type Observed } from './observed.ts';
import type { MemberToStart } from './step.ts';

/** Returns the first member of a cluster. Its token is the UID of what asks for the cluster, so that no other cluster has it. */
export function seedOf(observed: Observed, restore?: RestoreSource): MemberToStart {
  const { cluster, urlOf, newMember: name } = observed;
  return {
    name,
    state: 'new',
    token: restore?.restore.uid ?? cluster.metadata.uid,
    initialCluster: { [name]: urlOf(name) },
    version: wantedVersion(cluster),
    restore,
  };
}

/** Returns a member that joins. It begins with the version of the others, and is upgraded with them. */
export function joiningMember(observed: Observed, name: string): MemberToStart {
  return { ...memberOf(observed, name), version: lowestVersion(observed) };
}

/** Returns a member whose Pod is gone and whose data is there: etcd goes on with that, whatever its flags say of other members. */
export function returningMember(observed: Observed, name: string): MemberToStart {
  const [lowest, wanted] = [lowestVersion(observed), wantedVersion(observed.cluster)];
  // It may have been upgraded already, and must not go back.
  const version = upgradeProblem(lowest, wanted) === undefined ? wanted : lowest;
  const restore = restoreOf(observed, name);
  // A first member that has never run finds no data.
  const state = observed.hasFormed && restore === undefined ? 'existing' : 'new';
  return { ...memberOf(observed, name), state, version, restore };
}

/**
 * Returns the snapshot that a member has to begin with: that of the first member while the restore goes on. Its Pod may have been lost
 * before its data was in place, and the restore ends when a Pod of it is ready.
 */
function restoreOf({ restore, instances }: Observed, name: string): RestoreSource | undefined {
  const [first, ...others] = instances;
  const isSeed = first?.name === name && others.length === 0;
  return isSeed && tokenOf(first) === restore?.restore.uid ? restore : undefined;
}

function memberOf(observed: Observed, name: string): Omit<MemberToStart, 'version'> {
  const { instances, members = [], urlOf, cluster } = observed;
  const known = members.flatMap(({ name: each = '', peerURLs: [url = ''] }) =>
    each === '' ? [] : [[each, url]],
  );
  const others =
    known.length > 0 ? known : instances.map((instance) => [instance.name, urlOf(instance.name)]);
  const token = instances.map(tokenOf).find((each) => each !== '') ?? cluster.metadata.uid;
  return {
    name,
    state: 'existing',
    token,
    initialCluster: { ...(Object.fromEntries(others) as Record<string, string>), [name]: urlOf(name) },
  };
}
