import { describe, expect, test } from 'vitest';
import { webhookCertificate } from '../../../../../src/sdk/runtime/webhook/server/read-body.ts';
import { memoryLog } from '../memory-log.ts';
import { CertificateFolder } from './serving.ts';

describe('the certificate of webhooks', () => {
  const onChange = () => undefined;
  const { log } = memoryLog();

  test('is that of the named files, then the mounted one', async () => {
    using named = new CertificateFolder();
    using mounted = new CertificateFolder();
    const pairOf = async (files: { folder: string } | undefined): Promise<string> => {
      const source = await webhookCertificate({ files, log, onChange, mounted: mounted.folder });
      await source.stop();
      return source.pair.certificate;
    };
    expect(await pairOf({ folder: named.folder })).not.toBe(await pairOf(undefined));
    expect(await pairOf(undefined)).toBe(await pairOf({ folder: mounted.folder }));
  });

  test('is asked for, with the ways to give it, if there is none', async () => {
    const source = webhookCertificate({ files: undefined, log, onChange, mounted: '/nowhere' });
    await expect(source).rejects.toMatchObject({
      findings: [
        {
          code: 'runtime/webhook-certificate-missing',
          fix: [
            expect.stringContaining('--webhook-cert-path'),
            expect.stringContaining('op-sdk run'),
            expect.stringContaining('ENABLE_WEBHOOKS=false'),
          ],
        },
      ],
    });
  });
});
