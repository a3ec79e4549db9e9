import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, createServer } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createCertificateAuthority,
  restoreCertificateAuthority,
} from '../../../../src/sdk/x509/certificate-authority.ts';
import * as der from '../../../../src/sdk/x509/der.ts';

describe('der', () => {
  test.each([
    ['0', [0], '020100'],
    ['127', [127], '02017f'],
    ['128 needs a sign byte', [128], '02020080'],
    ['leading zeros go', [0, 0, 1, 0], '02020100'],
  ])('integer %s', (_name, bytes, expected) => {
    expect(der.unsignedInteger(Buffer.from(bytes)).toString('hex')).toBe(expected);
  });

  test('integers keep their value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 160n }), (value) => {
        const hex = value.toString(16);
        const encoded = der.unsignedInteger(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'));
        expect(encoded[1]).toBe(encoded.length - 2);
        expect((encoded[2] ?? 0) & 0x80).toBe(0);
        expect(BigInt(`0x${encoded.subarray(2).toString('hex')}`)).toBe(value);
      }),
    );
  });

  test.each([
    ['2.5.29.17', '0603551d11'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
  ])('object identifier %s', (dotted, expected) => {
    expect(der.objectIdentifier(dotted).toString('hex')).toBe(expected);
  });

  test.each([
    [127, '7f'],
    [128, '8180'],
    [65_536, '83010000'],
  ])('length %d', (length, expected) => {
    const encoded = der.octetString(Buffer.alloc(length));
    expect(encoded.subarray(1, encoded.length - length).toString('hex')).toBe(expected);
  });

  test('times from 2050 on have four digits of year', () => {
    expect(der.time(new Date('2049-12-31T23:59:59Z')).toString('latin1')).toBe('\x17\x0d491231235959Z');
    expect(der.time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z');
  });
});

describe('certificates', () => {
  const authority = createCertificateAuthority('test-ca');
  const server = authority.issue({
    commonName: 'server',
    usage: 'server',
    dnsNames: ['localhost', 'kubernetes.default.svc'],
    ipAddresses: ['127.0.0.1', '::1', 'fd00:1:2::ff'],
  });
  const client = authority.issue({
    commonName: 'jane',
    organizations: ['system:masters', 'Büro & Söhne, "quoted"'],
    usage: 'client',
  });

  test('the authority signs itself', () => {
    const certificate = new X509Certificate(authority.certificate);
    expect(certificate.ca).toBe(true);
    expect(certificate.subject).toBe('CN=test-ca');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(authority.key))).toBe(true);
  });

  test('an authority that is restored from its key issues as before', () => {
    const restored = restoreCertificateAuthority('test-ca', authority);
    const certificate = new X509Certificate(
      restored.issue({ commonName: 'jane', usage: 'client' }).certificate,
    );
    const issuer = new X509Certificate(authority.certificate);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
  });

  test('a certificate can be for both sides of a connection', () => {
    const { certificate } = authority.issue({ commonName: 'peer', usage: ['server', 'client'] });
    expect(new X509Certificate(certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  test('a leaf is signed by the authority and is none itself', () => {
    const certificate = new X509Certificate(server.certificate);
    const issuer = new X509Certificate(authority.certificate);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(issuer)).toBe(true);
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(server.key))).toBe(true);
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now());
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now());
  });

  test('names and addresses are those that were asked for', () => {
    const certificate = new X509Certificate(server.certificate);
    expect(certificate.checkHost('kubernetes.default.svc')).toBe('kubernetes.default.svc');
    expect(certificate.checkHost('example.com')).toBeUndefined();
    for (const address of ['127.0.0.1', '::1', 'fd00:1:2::ff']) {
      expect(certificate.checkIP(address)).toBe(address);
    }
    expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  });

  test('a name that is not an address is refused', () => {
    expect(() => authority.issue({ commonName: 'x', usage: 'server', ipAddresses: ['localhost'] })).toThrow(
      '"localhost" is not an IP address',
    );
  });

  test('user and groups are in the subject, whatever they are called', () => {
    const { subject } = new X509Certificate(client.certificate).toLegacyObject();
    expect(subject.CN).toBe('jane');
    expect(subject.O).toEqual(['system:masters', 'Büro & Söhne, "quoted"']);
  });

  test('server and client accept each other in a handshake', async () => {
    const listener = createServer({
      cert: server.certificate,
      key: server.key,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: true,
    });
    listener.on('secureConnection', (socket) => {
      socket.on('error', () => undefined);
      socket.end(`hello ${String(socket.getPeerCertificate().subject.CN)}`);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { port } = listener.address() as AddressInfo;
    const socket = connect({
      port,
      host: '127.0.0.1',
      ca: authority.certificate,
      cert: client.certificate,
      key: client.key,
    });
    // Read to the end before the client goes, so that neither side resets the other.
    expect(await text(socket)).toBe('hello jane');
    expect(socket.authorized).toBe(true);
    await new Promise((resolve) => listener.close(resolve));
  });

  test('openssl verifies the chain for the purpose', async ({ skip }) => {
    try {
      execFileSync('openssl', ['version'], { stdio: 'ignore' });
    } catch {
      skip('there is no openssl on the PATH');
    }
    const folder = await mkdtemp(join(tmpdir(), 'op-sdk-test-'));
    try {
      const write = async (name: string, text: string): Promise<string> => {
        await writeFile(join(folder, name), text);
        return join(folder, name);
      };
      const ca = await write('ca.crt', authority.certificate);
      for (const [purpose, pair] of [
        ['sslserver', server],
        ['sslclient', client],
      ] as const) {
        const leaf = await write(`${purpose}.crt`, pair.certificate);
        const args = ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', ca, leaf];
        expect(execFileSync('openssl', args, { encoding: 'utf8' })).toBe(`${leaf}: OK\n`);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
