import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { EtcdCluster } from '../../src/api/etcd/v1beta2/etcd-cluster.ts';
import { isDue, newAuthority, newCertificate } from '../../src/tls/self-signed.ts';

const now = Date.parse('2026-01-01T12:00:00Z');
const day = 24 * 3_600_000;
const cluster: EtcdCluster = {
  apiVersion: 'etcd.database.coreos.com/v1beta2',
  kind: 'EtcdCluster',
  metadata: { name: 'example', namespace: 'default' },
  spec: { TLS: { selfSigned: { validityDays: 90 } } },
};

const authority = await newAuthority(cluster, now);
const issued = {
  client: await newCertificate(cluster, 'client', authority, now),
  peer: await newCertificate(cluster, 'peer', authority, now),
  server: await newCertificate(cluster, 'server', authority, now),
};
const foreign = await newCertificate(cluster, 'server', await newAuthority(cluster, now), now);

describe('certificates of the operator', () => {
  const read = (data: Readonly<Record<string, string>>) => new X509Certificate(data['tls.crt'] ?? '');

  test.each(['peer', 'server'] as const)(
    'that of a %s is for both directions, and for every member',
    (use) => {
      const certificate = read(issued[use]);
      expect(certificate.verify(read(authority).publicKey)).toBe(true);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
      expect(certificate.checkHost('example-bbbbb.example.default.svc')).toBeDefined();
      expect(certificate.checkHost('example-bbbbb.other.default.svc')).toBeUndefined();
    },
  );

  test('that of the server is for the Service of the clients, that of a client for none', () => {
    expect(read(issued.server).checkHost('example-client.default.svc')).toBeDefined();
    expect(read(issued.client).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(read(issued.client).subjectAltName).toBeUndefined();
  });

  test('one is due after two thirds of its time', () => {
    const data = issued.server;
    expect(isDue(data, authority, now + 59 * day)).toBe(false);
    expect(isDue(data, authority, now + 61 * day)).toBe(true);
  });

  test.each([
    { title: 'is missing', data: {} },
    { title: 'cannot be read', data: { ...issued.server, 'tls.crt': 'x' } },
    { title: 'has no key', data: { ...issued.server, 'tls.key': '' } },
    {
      title: 'is of another authority',
      data: foreign,
    },
  ])('one that $title is due', ({ data }) => expect(isDue(data, authority, now)).toBe(true));
});
