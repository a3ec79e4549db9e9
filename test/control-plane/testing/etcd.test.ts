// The etcd of a machine without Unix sockets for it: reached by certificates only.
import { mkdtemp, realpath } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Guardian } from '../../../src/base/process/guardian.ts';
import { etcdWithCertificates, ApiServer } from '../../../src/testing/control-plane/components.ts';
import { startComponent, Ending } from '../../../src/testing/control-plane/component.ts';
import { apiServerFlags, etcdFlags } from '../../../src/testing/control-plane/flags.ts';
import { createPki } from '../../../src/testing/control-plane/pki.ts';
import { freePort } from '../../../src/testing/control-plane/ports.ts';
import { apiRequest } from '../../../src/testing/http/api-request.ts';
import { resolveAssets } from '../../../src/testing/index.ts';

test('an etcd on the loopback serves its API server, and nobody without a certificate of its own authority', async () => {
  const { folder: assets } = await resolveAssets();
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'op-sdk-test-'));
  const guardian = new Guardian({ folders: [folder] });
  try {
    const host = { guardian, assets, folder, startTimeout: 120_000, signal: undefined, ending: new Ending() };
    const pki = await createPki(join(folder, 'pki'));
    const etcd = await etcdWithCertificates(folder);
    await startComponent(host, 'etcd', etcdFlags(join(folder, 'etcd'), etcd), () => etcd.isReady());
    const port = await freePort();
    const endpoint = {
      url: `https://127.0.0.1:${port}`,
      caCertificate: pki.authority.certificate,
      credentials: pki.admin,
    };
    const flags = apiServerFlags({
      port,
      etcd,
      folder,
      pki,
      featureGates: {},
      extraFlags: [],
      hasNodes: false,
    });
    await new ApiServer(host, flags, endpoint).start();
    expect((await apiRequest(endpoint, { path: '/readyz' })).status).toBe(200);

    const { certificate: cert, key } = pki.admin;
    const url = /--etcd-servers=(.*)/.exec(etcd.apiServerFlags.join('\n'))?.[1] ?? '';
    for (const credentials of [{}, { cert, key }]) {
      const answer = new Promise((resolve, reject) => {
        const asking = request(
          new URL('/version', url),
          { rejectUnauthorized: false, ...credentials },
          resolve,
        );
        asking.on('error', reject).end();
      });
      await expect(answer).rejects.toThrow();
    }
  } finally {
    await guardian.stop();
  }
});
