// Members that are lost and replaced, a cluster that grows, a backup, and the restore of it.
import { edit } from '../edit.mjs';

const restore = `
apiVersion: etcd.database.coreos.com/v1beta2
kind: EtcdRestore
metadata:
  name: back
spec:
  etcdCluster: { name: example }
  backupStorageType: PVC
  pvc: { claimName: etcd-backups, path: now.backup }
`;

const backup = `
apiVersion: etcd.database.coreos.com/v1beta2
kind: EtcdBackup
metadata:
  name: now
spec:
  etcdEndpoints: [http://example-client.default.svc:2379]
  storageType: PVC
  pvc: { claimName: etcd-backups, path: now.backup }
`;

export const etcdOperator = {
  shows: 'three members, a write, a lost member, five members, a backup, a restore',
  programs: ['etcd'],
  /** The sample asks for the etcd of the control plane; restores need etcdutl, too. */
  prepare(project, { etcd: { version } }) {
    edit(project, 'config/samples/etcd_v1beta2_etcdcluster.yaml', /version: .*/, `version: ${version}`);
    edit(project, 'test/programs.yaml', /^etcd: etcd$/m, 'etcd: [etcd, etcdutl]');
  },
  async tell(story) {
    const untilReady = (size) =>
      story.until(`${size} ready members`, async () => {
        const { status = {} } = (await story.object('etcdcluster', 'example')) ?? {};
        const { phase, reason, members: { ready = [] } = {} } = status;
        const isReady =
          phase === 'Running' && reason === 'Ready' && status.size === size && ready.length === size;
        return isReady || { phase, reason, ready };
      });
    await untilReady(3);
    await story.kubectl('get etcd');
    const [host, port] = await story.addressOf('example-client');
    const etcdctl = `etcdctl --endpoints=${host}:${port}`;
    const get = `${etcdctl} get greeting --print-value-only`;
    await story.shell(`${etcdctl} put greeting hello`);
    const members = await story.shell(`${etcdctl} endpoint status --cluster | cut -d , -f 1-3`);
    expectLines(members, 3);

    story.say('A member is lost, with its data: another one takes its place.');
    const { status } = await story.object('etcdcluster', 'example');
    const [lost] = status.members.ready;
    await story.kubectl(`delete pod ${lost}`);
    await story.until(`${lost} to be replaced`, async () => {
      const { members } = (await story.object('etcdcluster', 'example')).status;
      return !members.ready.includes(lost) || members;
    });
    await untilReady(3);
    // Without those of the sample's backups, which come in their time.
    await story.kubectl('get pods -l etcd_cluster=example');

    await story.kubectl(`patch etcd example --type=merge --patch '{"spec":{"size":5}}'`);
    await untilReady(5);
    expectLines(await story.shell(`${etcdctl} member list | cut -d , -f 1-3`), 5);
    await expectOutput(story, get, 'hello');

    story.say('A backup, then something that should not have been written, then the restore.');
    await story.kubectl('apply --server-side -f -', { stdin: backup });
    await story.kubectl('get etcdbackups now', { until: /^now +PVC +Succeeded /m });
    await story.shell(`${etcdctl} put greeting oops`);
    await story.kubectl('apply --server-side -f -', { stdin: restore });
    await story.kubectl('get etcdrestores back', { until: /^back +example +PVC +Succeeded /m });
    await untilReady(5);
    await expectOutput(story, get, 'hello');
    await story.kubectl('get etcd');
    const { members: last } = (await story.object('etcdcluster', 'example')).status;
    return last.ready.map((member) => `--name=${member}`);
  },
};

function expectLines(text, count) {
  const lines = text.split('\n').length;
  if (lines !== count) throw new Error(`expected ${count} members, got ${lines}:\n${text}`);
}

async function expectOutput(story, line, expected) {
  const text = await story.shell(line);
  if (text !== expected) throw new Error(`${line}: expected ${expected}, got ${text}`);
}
