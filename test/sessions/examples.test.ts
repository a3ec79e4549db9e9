// The examples with real software as their READMEs start them: a copy of the folder with the packed package, and `op-sdk dev --samples`.
// It packs dist/: build it first.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EtcdBackup } from '../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-backup.ts';
import { EtcdCluster } from '../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { DistributedRedisCluster } from '../../examples/redis-operator/src/api/redis/v1alpha1/distributed-redis-cluster.ts';
import { packPackage } from '../../scripts/lib/nginx-project.mjs';
import { must } from '../../scripts/lib/run.mjs';
import { ensureEtcd, ensureRedis, orUnavailable } from '../../scripts/lib/test-programs.mjs';
import type { KubeClient } from '../../src/sdk/kube/index.ts';
import { eventually, resolveAssets } from '../../src/testing/index.ts';
import { edit, startDev, type DevProcess } from '../helpers/dev-process.ts';
import { processesWith } from '../helpers/processes.ts';
import { repositoryRoot } from '../helpers/source-files.ts';
import { Clients } from './clients.ts';

const execute = promisify(execFile);
/** Longer than a busy machine takes for any of it. */
const slow = { timeout: 300_000 };
const namespace = 'default';
const clients = new Clients();
let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-examples-'));
  tarball = await packPackage(join(folder, 'package'));
});
afterAll(async () => {
  await clients.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Copies an example out of the repository, and lets it depend on the packed package, as examples/README.md says. */
async function copyExample(example: string): Promise<string> {
  const project = join(folder, example);
  const from = join(repositoryRoot, 'examples', example);
  cpSync(from, project, {
    recursive: true,
    filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
  });
  const inside = { cwd: project, quiet: true };
  await must('npm', ['pkg', 'set', `dependencies.opsdk=file:${tarball}`], inside);
  await must('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], inside);
  return project;
}

/** Starts `op-sdk dev --samples`, on ports that nobody else needs. */
function startSamples(project: string, env = process.env): DevProcess {
  const flags = ['--metrics-bind-address=0', '--health-probe-bind-address=0'];
  return startDev(project, ['dev', '--samples', '--', ...flags], { env });
}

/** Waits for a line of the output. @returns what the first group of its pattern matches */
async function printed(dev: DevProcess, pattern: RegExp): Promise<string> {
  const find = (): string | false =>
    pattern.exec(dev.output())?.[1] ?? (dev.process.exitCode === null ? false : '');
  const found = await eventually(find, slow).catch(() => '');
  expect(found, `${String(pattern)} is not in:\n${dev.output()}`).not.toBe('');
  return found;
}

/** Returns a client of the cluster whose kubeconfig is printed. */
async function clientOf(dev: DevProcess): Promise<KubeClient> {
  return clients.of(await printed(dev, /^export KUBECONFIG=(.*)$/m));
}

/** Returns host and port of a Service, as they are printed for other terminals. */
async function addressOf(dev: DevProcess, service: string): Promise<readonly [host: string, port: string]> {
  const address = await printed(dev, new RegExp(`Service ${namespace}/${service} is at ([\\d.]+:\\d+)`));
  const [host = '', port = ''] = address.split(':');
  return [host, port];
}

const etcdTools = await orUnavailable(ensureEtcd('3.6.8'));
const etcdctl = etcdTools instanceof Error ? '' : join(etcdTools, 'etcdctl');

describe.skipIf(process.platform !== 'linux' || etcdctl === '')(
  `examples/etcd-operator${etcdTools instanceof Error ? ` (${etcdTools.message})` : ''}`,
  () => {
    const key = { name: 'example', namespace };
    const sample = 'config/samples/etcd_v1beta2_etcdcluster.yaml';

    /** Lets the sample ask for the etcd of this control plane, as the README says. */
    async function fitVersion(project: string): Promise<void> {
      const { stdout } = await execute(join((await resolveAssets()).folder, 'etcd'), ['--version']);
      const version = /etcd Version: (\S+)/.exec(stdout)?.[1] ?? '';
      const written = /^ {2}version: (.*)$/m.exec(readFileSync(join(project, sample), 'utf8'))?.[1] ?? '';
      edit(project, sample, `version: ${written}`, `version: ${version}`);
    }

    test(
      'keeps members that etcdctl reaches, grows, and saves a backup',
      { timeout: 1_200_000 },
      async () => {
        const project = await copyExample('etcd-operator');
        await fitVersion(project);
        await using dev = startSamples(project);
        const client = await clientOf(dev);
        const [host, port] = await addressOf(dev, 'example-client');
        const untilSize = (size: number): Promise<readonly string[]> =>
          eventually(async () => {
            const { status } = await client.get(EtcdCluster, key);
            expect(status).toMatchObject({ phase: 'Running', reason: 'Ready', size });
            expect(status?.members?.ready).toHaveLength(size);
            return status?.members?.ready ?? [];
          }, slow);
        const call = async (...words: readonly string[]): Promise<string> => {
          const { stdout } = await execute(etcdctl, [`--endpoints=${host}:${port}`, ...words]);
          return stdout.trim();
        };

        await untilSize(3);
        expect(await call('put', 'greeting', 'hello')).toBe('OK');
        const statuses = JSON.parse(
          await call('endpoint', 'status', '--cluster', '--write-out=json'),
        ) as readonly object[];
        expect(statuses).toHaveLength(3);

        await client.mergePatch(EtcdCluster, key, { spec: { size: 5 } });
        const members = await untilSize(5);
        expect((await call('member', 'list')).split('\n')).toHaveLength(5);
        expect(await call('get', 'greeting', '--print-value-only')).toBe('hello');

        const backup = { name: 'now', namespace };
        await client.create(EtcdBackup, {
          metadata: backup,
          spec: {
            etcdEndpoints: ['http://example-client.default.svc:2379'],
            storageType: 'PVC',
            pvc: { claimName: 'etcd-backups', path: 'now.backup' },
          },
        });
        await eventually(async () => {
          const { status } = await client.get(EtcdBackup, backup);
          expect(status).toMatchObject({ phase: 'Succeeded', succeeded: true });
        }, slow);

        expect(await dev.stop()).toBe(0);
        for (const member of members) expect(await processesWith(`--name=${member}`)).toEqual([]);
      },
    );
  },
);

const redisTools = await orUnavailable(ensureRedis());

describe.skipIf(process.platform !== 'linux' || redisTools instanceof Error)(
  `examples/redis-operator${redisTools instanceof Error ? ` (${redisTools.message})` : ''}`,
  () => {
    test('keeps a cluster that redis-cli reaches, and adds a shard', { timeout: 1_200_000 }, async () => {
      const tools = redisTools instanceof Error ? '' : redisTools;
      const project = await copyExample('redis-operator');
      const path = [tools, process.env['PATH']].join(delimiter);
      await using dev = startSamples(project, { ...process.env, PATH: path });
      const client = await clientOf(dev);
      const key = { name: 'distributedrediscluster-sample', namespace };
      const [host, port] = await addressOf(dev, key.name);
      const untilHealthy = (masters: number): Promise<void> =>
        eventually(async () => {
          const { metadata, status } = await client.get(DistributedRedisCluster, key);
          const ready = status?.conditions?.find(({ type }) => type === 'Ready');
          expect(ready, JSON.stringify(status)).toMatchObject({
            status: 'True',
            observedGeneration: metadata.generation,
          });
          expect(status).toMatchObject({ phase: 'Healthy', masters, replicas: masters });
        }, slow);
      const call = async (...words: readonly string[]): Promise<string> => {
        const { stdout } = await execute(join(tools, 'redis-cli'), ['-c', '-h', host, '-p', port, ...words]);
        return stdout.trim();
      };
      const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);

      await untilHealthy(3);
      for (const name of keys) expect(await call('set', name, name)).toBe('OK');
      expect(await call('cluster', 'info')).toContain('cluster_state:ok');

      await client.mergePatch(DistributedRedisCluster, key, { spec: { masterSize: 4 } });
      await untilHealthy(4);
      const nodes = (await call('cluster', 'nodes')).split('\n');
      expect(nodes).toHaveLength(8);
      for (const name of keys) expect(await call('get', name)).toBe(name);

      expect(await dev.stop()).toBe(0);
      const addresses = nodes.flatMap((line) => / ([\d.]+):6379@/.exec(line)?.[1] ?? []);
      expect(addresses).toHaveLength(8);
      for (const address of addresses) expect(await processesWith(`${address}:6379`)).toEqual([]);
    });
  },
);
