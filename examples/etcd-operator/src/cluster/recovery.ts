import { ownedBy, waitingFor, type ReconcileContext, type Stored } from 'opsdk';
import { EtcdBackup } from '../api/etcd/v1beta2/etcd-backup.ts';
import type { EtcdCluster } from '../api/etcd/v1beta2/etcd-cluster.ts';
import { EtcdRestore } from '../api/etcd/v1beta2/etcd-restore.ts';
import { restoreSpecOf } from '../backup/restore-spec-of.ts';
import type { Recovery } from './observed.ts';

/** Returns the EtcdRestores that the operator has asked for, for a cluster. */
function recoveriesOf(restores: readonly Stored<EtcdRestore>[], { metadata }: Stored<EtcdCluster>) {
  return restores.filter((restore) =>
    restore.metadata.ownerReferences?.some(
      ({ uid, controller }) => uid === metadata.uid && controller === true,
    ),
  );
}

/** Returns the restore that is to be made now, the one that was asked for first. */
export function activeRestore(
  restores: readonly Stored<EtcdRestore>[],
  { metadata }: Stored<EtcdCluster>,
): Stored<EtcdRestore> | undefined {
  const ageOf = (restore: Stored<EtcdRestore>): string => restore.metadata.creationTimestamp ?? '';
  return restores
    .filter(({ spec, status }) => spec.etcdCluster.name === metadata.name && status?.phase === 'Restoring')
    .filter((restore) => restore.metadata.deletionTimestamp === undefined)
    .sort((a, b) => ageOf(a).localeCompare(ageOf(b)) || a.metadata.name.localeCompare(b.metadata.name))[0];
}

/** Returns what the operator may do by itself when the quorum is lost. A failed restore is not tried again until somebody deletes it. */
export function recoveryOf(restores: readonly Stored<EtcdRestore>[], cluster: Stored<EtcdCluster>): Recovery {
  if (cluster.spec.recovery === undefined) return 'forbidden';
  const phases = recoveriesOf(restores, cluster).map(({ status }) => status?.phase);
  if (phases.includes('Failed')) return 'failed';
  return phases.every((phase) => phase === 'Succeeded') ? 'allowed' : 'running';
}

/** Creates the EtcdRestore that the spec of a cluster allows. Its name follows from those that are there: it is created once. */
export async function startRecovery(
  cluster: Stored<EtcdCluster>,
  { client, key, events }: ReconcileContext,
): Promise<void> {
  const { recovery } = cluster.spec;
  if (recovery === undefined) return;
  const name = { name: recovery.backup, namespace: key.namespace };
  const backup = await client.live.find(EtcdBackup, name);
  if (backup === undefined) throw waitingFor(EtcdBackup, name);
  const spec = restoreSpecOf(backup);
  if (spec === undefined)
    throw new Error(`EtcdBackup ${recovery.backup}: expected a backup to restore ${key.name} from, got none`);
  const { items } = await client.list(EtcdRestore, { namespace: key.namespace });
  const prefix = `${key.name}-recovery-`;
  // Some may have been deleted since.
  const former = items.map(({ metadata }) =>
    metadata.name.startsWith(prefix) ? Number(metadata.name.slice(prefix.length)) : 0,
  );
  const next = Math.max(0, ...former.filter(Number.isSafeInteger)) + 1;
  await client.create(EtcdRestore, {
    metadata: { name: `${prefix}${next}`, ...ownedBy(cluster) },
    spec: { ...spec, etcdCluster: { name: key.name } },
  });
  events.warning('StartingRecovery', `The quorum is lost: restoring the latest backup of ${recovery.backup}`);
}
