// The etcd operator for members that are processes and cannot look up names of a cluster: they know each other by addresses.
import { execFileSync } from 'node:child_process';
import { createManager, operatorMain } from 'opsdk';
import { createEtcdBackupController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-backup.ts';
import { createEtcdClusterController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-cluster.ts';
import { createEtcdRestoreController } from '../../../../examples/etcd-operator/src/controllers/etcd/etcd-restore.ts';

const addresses = new Map<string, string>();

/** Asks a program for the address, since only a program can be waited for. */
function addressOf(host: string): string {
  const known = addresses.get(host);
  if (known !== undefined) return known;
  const script = `require('dns').lookup(${JSON.stringify(host)}, 4, (_, address) => process.stdout.write(address))`;
  const address = execFileSync(process.execPath, [...process.execArgv, '-e', script], { encoding: 'utf8' });
  addresses.set(host, address);
  return address;
}

await operatorMain(
  async ({ flags, signal }) => {
    const manager = await createManager({ name: 'etcd-operator', ...flags, leaderElection: false });
    manager.add(createEtcdClusterController({ addressOf }));
    manager.add(createEtcdBackupController());
    manager.add(createEtcdRestoreController());
    await manager.run({ signal });
  },
  {
    commands: {
      backup: async (context) =>
        (await import('../../../../examples/etcd-operator/src/backup/main.ts')).backup(context),
    },
  },
);
