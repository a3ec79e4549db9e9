import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pullImage } from '../../../../src/images/registry/pull-image.ts';
import { pushImage } from '../../../../src/images/registry/push-image.ts';
import { createCertificateAuthority } from '../../../../src/sdk/x509/certificate-authority.ts';
import {
  app,
  gather,
  quickOptions,
  scriptedRegistry,
  testImage,
  tlsInFront,
  type Fault,
} from '../../../helpers/scripted-registry.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { tempFolder } from '../temp-folder.ts';
import { failure } from './registry-client.ts';

const folder = tempFolder();

describe('TLS', () => {
  const authority = createCertificateAuthority('registry tests');
  const server = authority.issue({ commonName: 'registry', usage: 'server', ipAddresses: ['127.0.0.1'] });

  test('a certificate authority of its own is trusted by its file, and only then', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    const caFile = join(folder(), 'ca.crt');
    writeFileSync(caFile, authority.certificate);
    const reference = app(`127.0.0.1:${tls.port}`);
    const stranger = await failure(pushImage(reference, testImage(), quickOptions()));
    expect(stranger.code).toBe('oci/registry-tls');
    expect(registry.seen).toEqual([]);
    await pushImage(reference, testImage(), quickOptions({ caFile }));
    expect(registry.tags.has('team/app:v1')).toBe(true);
  });

  test('another authority than the one in the file is not trusted', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    const caFile = join(folder(), 'ca.crt');
    writeFileSync(caFile, createCertificateAuthority('another').certificate);
    const error = await failure(
      pushImage(app(`127.0.0.1:${tls.port}`), testImage(), quickOptions({ caFile })),
    );
    expect(error.code).toBe('oci/registry-tls');
    expect(registry.seen).toEqual([]);
  });

  test('--skip-tls-verify is for the registry, not for where it sends us', async () => {
    await using storage = await scriptedRegistry();
    await using tlsOfStorage = await tlsInFront(storage.host, server);
    const away: Fault['answer'] = (request, response) =>
      void response
        .writeHead(307, { location: `https://localhost:${tlsOfStorage.port}${request.url}` })
        .end();
    await using registry = await scriptedRegistry({
      faults: [{ on: /^GET .*blobs/, times: 9, answer: away }],
    });
    await using tls = await tlsInFront(registry.host, server);
    const reference = app(`127.0.0.1:${tls.port}`);
    const image = testImage();
    const options = quickOptions({ skipTlsVerify: true });
    await pushImage(reference, image, options);
    const [layer] = image.layers;
    if (layer === undefined) return expect.fail();
    const pulled = await pullImage(reference, options);
    expect((await failure(gather(pulled.read(layer)))).code).toBe('oci/registry-tls');
    expect(storage.seen).toEqual([]);
  });

  test('NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment does not turn verification off', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const error = await failure(pushImage(app(`127.0.0.1:${tls.port}`), testImage(), quickOptions()));
      expect(error.code).toBe('oci/registry-tls');
      expect(registry.seen).toEqual([]);
      const url = `https://127.0.0.1:${tls.port}/v2/`;
      const imported = await runCli(['import', 'crd', url, '--dry-run'], { cwd: folder() });
      expect([imported.code, registry.seen]).toEqual([1, []]);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  test('--skip-tls-verify takes any certificate', async () => {
    await using registry = await scriptedRegistry();
    await using tls = await tlsInFront(registry.host, server);
    await pushImage(app(`127.0.0.1:${tls.port}`), testImage(), quickOptions({ skipTlsVerify: true }));
    expect(registry.tags.has('team/app:v1')).toBe(true);
  });
});
