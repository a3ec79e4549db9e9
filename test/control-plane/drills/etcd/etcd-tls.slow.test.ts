// The operator's certificates, and its client, with the real etcd: one member, since peers of processes are addressed by numbers.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EtcdCluster } from '../../../../examples/etcd-operator/src/api/etcd/v1beta2/etcd-cluster.ts';
import { httpEtcd } from '../../../../examples/etcd-operator/src/etcd/http-etcd.ts';
import { newAuthority, newCertificate } from '../../../../examples/etcd-operator/src/tls/self-signed.ts';
import { eventually, resolveAssets } from '../../../../src/testing/index.ts';
import { freePort } from '../../../../scripts/lib/free-port.mjs';

const cluster: EtcdCluster = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdCluster',
  metadata: { name: 'example', namespace: 'default' },
  spec: { TLS: { selfSigned: {} } },
};

const authority = await newAuthority(cluster, Date.now());
const client = await newCertificate(cluster, 'client', authority, Date.now());

describe.skipIf(process.platform !== 'linux')('etcd with certificates of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'etcd-tls-'));
  const credentials = {
    ca: client['ca.crt'] ?? '',
    cert: client['tls.crt'] ?? '',
    key: client['tls.key'] ?? '',
  };
  const connection = { credentials, signal: new AbortController().signal };
  let etcd: ChildProcess | undefined;
  let url = '';

  beforeAll(async () => {
    const server = await newCertificate(cluster, 'server', authority, Date.now());
    for (const [name, text] of Object.entries(server)) writeFileSync(join(folder, name), text);
    const { folder: assets } = await resolveAssets();
    const [port, peerPort] = [await freePort(), await freePort()];
    url = `https://127.0.0.1:${port}`;
    const peer = `http://127.0.0.1:${peerPort}`;
    const args = [
      '--name=example-aaaaa',
      `--data-dir=${join(folder, 'data')}`,
      ...[`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`],
      ...[`--listen-peer-urls=${peer}`, `--initial-advertise-peer-urls=${peer}`],
      `--initial-cluster=example-aaaaa=${peer}`,
      '--client-cert-auth=true',
      `--trusted-ca-file=${join(folder, 'ca.crt')}`,
      `--cert-file=${join(folder, 'tls.crt')}`,
      `--key-file=${join(folder, 'tls.key')}`,
    ];
    etcd = spawn(join(assets, 'etcd'), args, { stdio: 'ignore' });
  }, 120_000);
  afterAll(async () => {
    if (etcd?.exitCode === null) {
      etcd.kill();
      await once(etcd, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('answers the operator for its own name, and nobody else', { timeout: 60_000 }, async () => {
    const endpoint = { url, serverName: 'example-aaaaa.example.default.svc' };
    await eventually(
      async () =>
        expect(await httpEtcd.report(endpoint, connection)).toMatchObject({
          isHealthy: true,
          isLearner: false,
        }),
      { timeout: 50_000 },
    );
    const members = await httpEtcd.members([endpoint], connection).list();
    expect(members).toMatchObject([{ name: 'example-aaaaa' }]);
    expect(await httpEtcd.members([endpoint], connection).alarms()).toEqual([]);
    const foreign = { url, serverName: 'example-aaaaa.other.default.svc' };
    await expect(httpEtcd.members([foreign], connection).list()).rejects.toThrow('does not match');
    await expect(
      httpEtcd.members([endpoint], { ...connection, credentials: undefined }).list(),
    ).rejects.toThrow('unable to verify');
    const foreignAuthority = await newAuthority(cluster, Date.now());
    const others = await newCertificate(cluster, 'client', foreignAuthority, Date.now());
    const stranger = { ...credentials, cert: others['tls.crt'] ?? '', key: others['tls.key'] ?? '' };
    await expect(
      httpEtcd.members([endpoint], { ...connection, credentials: stranger }).list(),
    ).rejects.toThrow();
  });
});
