import type { Secret } from 'opsdk/k8s/core/v1';
import { expect, test } from 'vitest';
import { keysOf, pemsOf } from '../../src/tls/secret-files.ts';

const secret = (texts: Readonly<Record<string, string>>): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'certificates' },
  data: Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  ),
});

test('the keys of the first etcd operator are read, and those of cert-manager', () => {
  const own = secret({ 'peer-ca.crt': 'ca', 'peer.crt': 'cert', 'peer.key': 'key' });
  expect(pemsOf(own, 'peer')).toEqual({ ca: 'ca', cert: 'cert', key: 'key' });
  const common = secret({ 'ca.crt': 'ca', 'tls.crt': 'cert', 'tls.key': 'key' });
  expect(keysOf(common, 'client')).toEqual({ ca: 'ca.crt', cert: 'tls.crt', key: 'tls.key' });
});

test('what is missing is named, and no data', () => {
  const partial = secret({ 'server.crt': 'confidential', 'server.key': '' });
  expect(() => keysOf(partial, 'server')).toThrow(
    'Secret certificates: expected the keys server-ca.crt, server.crt, server.key, or ca.crt, tls.crt, tls.key, got server.crt, server.key',
  );
});
