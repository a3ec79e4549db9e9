import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { olmFacts } from '../../../../src/olm/install/index.ts';
import { sharedControlPlane } from '../../../helpers/control-plane.ts';
import { runCli } from '../../../helpers/run-cli.ts';

test('op-sdk olm uninstall --yes deletes nothing by downloaded files that op-sdk does not know', async () => {
  const { kubeconfig } = await sharedControlPlane();
  const text = 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: default\n';
  const server = createServer((_, answer) => answer.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = vi.spyOn(olmFacts.v0, 'releaseUrls').mockReturnValue([`${base}/olm.yaml`]);
  try {
    const argv = [
      'olm',
      'uninstall',
      '--olm',
      'v0',
      '--version',
      '0.46.0',
      '--yes',
      '--kubeconfig',
      kubeconfig,
    ];
    const { code, stderr } = await runCli(argv);
    expect(stderr).toContain('error[olm/unverified]');
    expect(stderr).toContain(`${base}/olm.yaml`);
    expect(code).toBe(1);
    const digest = /--sha256 ([0-9a-f]{64})/.exec(stderr)?.[1] ?? '';
    // With the digest the file is read, and is no release.
    expect((await runCli([...argv, '--sha256', digest])).stderr).toContain('error[olm/invalid-manifests]');
  } finally {
    urls.mockRestore();
    server.close();
    server.closeAllConnections();
  }
});
