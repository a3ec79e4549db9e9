import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  certificateReadErrors,
  certificateReads,
} from '../../../../../src/sdk/runtime/metrics/common-metrics.ts';
import {
  watchCertificate,
  type WatchedCertificate,
} from '../../../../../src/sdk/runtime/certificate/index.ts';
import {
  createCertificateAuthority,
  type KeyPair,
} from '../../../../../src/sdk/x509/certificate-authority.ts';
import { memoryLog } from '../memory-log.ts';

const authority = createCertificateAuthority('test');
const purpose = {
  name: 'metrics',
  flag: '--metrics-cert',
  otherwise: 'or leave --metrics-cert-path out: a self-signed certificate is used then',
};
const issue = (): KeyPair => authority.issue({ commonName: 'metrics', usage: 'server' });

let folder: string;
let watched: WatchedCertificate | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'opsdk-certificate-'));
});
afterEach(() => {
  void watched?.stop();
  watched = undefined;
  rmSync(folder, { recursive: true });
});

function write({ certificate, key }: KeyPair, names = { certificate: 'tls.crt', key: 'tls.key' }): void {
  writeFileSync(join(folder, names.certificate), certificate);
  writeFileSync(join(folder, names.key), key);
}

const valueOf = async (counter: typeof certificateReads): Promise<number> =>
  (await counter.get()).values[0]?.value ?? 0;

test('a certificate is read again when its files change; what does not fit together is logged once and not used', async () => {
  const { log, lines } = memoryLog();
  const first = issue();
  write(first);
  const changes: KeyPair[] = [];
  const onChange = (pair: KeyPair): void => void changes.push(pair);
  const [reads, errors] = [await valueOf(certificateReads), await valueOf(certificateReadErrors)];
  watched = await watchCertificate({ folder }, { purpose, log, onChange, interval: 5 });
  expect(watched.pair).toEqual(first);

  const second = issue();
  write({ certificate: second.certificate, key: first.key });
  await expect.poll(() => lines.length).toBe(1);
  expect(lines).toMatchObject([{ error: { findings: [{ code: 'runtime/certificate-unreadable' }] } }]);
  const failures = async () => (await valueOf(certificateReadErrors)) - errors;
  await expect.poll(failures).toBeGreaterThan(3);
  expect(lines).toHaveLength(1);
  expect(changes).toEqual([]);

  write(second);
  await expect.poll(() => changes).toEqual([second]);
  await expect.poll(() => lines.at(-1)?.msg).toBe('Certificate for metrics reloaded');
  expect(await valueOf(certificateReads)).toBeGreaterThan(reads + 4);
  expect(changes).toEqual([second]);
});

test('files can have other names', async () => {
  const pair = issue();
  write(pair, { certificate: 'a.pem', key: 'b.pem' });
  const { log } = memoryLog();
  const files = { folder, certificate: 'a.pem', key: 'b.pem' };
  watched = await watchCertificate(files, { purpose, log, onChange: () => undefined });
  expect(watched.pair).toEqual(pair);
});

test.each([
  ['without files', () => undefined, 'ENOENT'],
  ['with something else in them', () => write({ certificate: 'a', key: 'b' }), 'PEM'],
  ['with the key of another certificate', () => write({ ...issue(), key: issue().key }), 'mismatch'],
])('%s nothing is served', async (_name, prepare, text) => {
  prepare();
  const { log } = memoryLog();
  const started = watchCertificate({ folder }, { purpose, log, onChange: () => undefined });
  await expect(started).rejects.toThrow('runtime/certificate-unreadable');
  await expect(started).rejects.toThrow(text);
});

test('a change is seen as soon as the file system tells of it, also when files or links are replaced', async () => {
  const { log } = memoryLog();
  const changes: KeyPair[] = [];
  const onChange = (pair: KeyPair): void => void changes.push(pair);
  write(issue());
  // Nobody would wait for the next read.
  watched = await watchCertificate({ folder }, { purpose, log, onChange, interval: 3_600_000 });
  const renamed = issue();
  const names = { certificate: 'new.crt', key: 'new.key' };
  write(renamed, names);
  renameSync(join(folder, names.certificate), join(folder, 'tls.crt'));
  renameSync(join(folder, names.key), join(folder, 'tls.key'));
  await expect.poll(() => changes, { timeout: 20_000 }).toEqual([renamed]);

  // As the kubelet replaces a Secret: a link to a folder is exchanged, the links to its files stay.
  const linked = issue();
  mkdirSync(join(folder, '..data_tmp_target'));
  write(linked, { certificate: '..data_tmp_target/tls.crt', key: '..data_tmp_target/tls.key' });
  for (const name of ['tls.crt', 'tls.key']) {
    symlinkSync(join('..data_tmp_target', name), join(folder, `${name}.link`));
    renameSync(join(folder, `${name}.link`), join(folder, name));
  }
  await expect.poll(() => changes.at(-1), { timeout: 20_000 }).toEqual(linked);
});

test('files that are moved away and come back are used again', async () => {
  const { log, lines } = memoryLog();
  const changes: KeyPair[] = [];
  const onChange = (pair: KeyPair): void => void changes.push(pair);
  write(issue());
  watched = await watchCertificate({ folder }, { purpose, log, onChange, interval: 5 });
  const [from, to] = [join(folder, 'tls.crt'), join(folder, 'away.crt')];
  renameSync(from, to);
  await expect.poll(() => lines.length).toBe(1);
  const next = issue();
  writeFileSync(join(folder, 'tls.key'), next.key);
  writeFileSync(to, next.certificate);
  renameSync(to, from);
  await expect.poll(() => changes.at(-1)).toEqual(next);
});
