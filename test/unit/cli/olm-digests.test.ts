import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { olmFacts } from '../../../src/olm/install/index.ts';
import { runCli } from '../../helpers/run-cli.ts';

// Files of a release that lack everything: what is said of them shows that their digests were accepted.
const text = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
const digestOf = (name: string): string => createHash('sha256').update(text(name)).digest('hex');
const [crds, olm] = [digestOf('crds.yaml'), digestOf('olm.yaml')];
const other = '0'.repeat(64);

let server: Server;
let base: string;
let folder: string;
let kubeconfig: string;
beforeAll(async () => {
  server = createServer((request, answer) => answer.end(text((request.url ?? '').slice(1)))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(join(tmpdir(), 'op-sdk-digests-'));
  kubeconfig = join(folder, 'kubeconfig');
  // No request is sent before the release is checked.
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'c' },
    clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'c', user: {} }],
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  writeFileSync(join(folder, 'crds.yaml'), text('crds.yaml'));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  vi.spyOn(olmFacts.v0, 'releaseUrls').mockReturnValue([`${base}/crds.yaml`, `${base}/olm.yaml`]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The codes and messages of the errors, and the fixes of the first. */
async function install(...flags: readonly string[]) {
  const { stdout } = await runCli(['olm', 'install', '-o', 'json', '--kubeconfig', kubeconfig, ...flags]);
  const { errors } = JSON.parse(stdout) as {
    readonly errors: readonly {
      readonly code: string;
      readonly message: string;
      readonly fix: readonly string[];
    }[];
  };
  return { codes: [...new Set(errors.map(({ code }) => code))], errors };
}

describe('op-sdk olm install of a release that op-sdk does not know', () => {
  test('refuses without a terminal, and shows the digests of what was downloaded', async () => {
    const { codes, errors } = await install();
    expect(codes).toEqual(['olm/unverified']);
    expect(errors).toHaveLength(2);
    expect(errors[0]?.message).toContain(`${base}/crds.yaml`);
    expect(errors[0]?.message).toContain(crds);
    expect(errors[1]?.message).toContain(olm);
    expect(errors[0]?.fix[0]).toContain(`--sha256 ${crds} --sha256 ${olm}`);
  });

  test.each([
    ['in their order', [crds, olm]],
    ['in another order, in capitals', [olm.toUpperCase(), crds]],
  ])('takes it with --sha256 for each file, %s', async (_, digests) => {
    expect((await install(...digests.flatMap((each) => ['--sha256', each]))).codes).toEqual([
      'olm/invalid-manifests',
    ]);
  });

  test.each([
    ['one file has another', [crds, other]],
    ['one file has none', [crds]],
    ['there is one more', [crds, olm, other]],
  ])('refuses --sha256 where %s', async (_, digests) => {
    expect((await install(...digests.flatMap((each) => ['--sha256', each]))).codes).toEqual([
      'olm/checksum-mismatch',
    ]);
  });

  test('refuses a value that is not a digest', async () => {
    expect((await install('--sha256', 'abc')).codes).toEqual(['cli/invalid-value']);
  });

  test.each([
    ['accepts them', true, 1],
    ['does not accept them', false, 130],
  ])('shows the digests on a terminal, where a person %s', async (_, answer, wanted) => {
    const asked: string[] = [];
    vi.doMock('@clack/prompts', () => ({
      confirm: ({ message, initialValue }: { readonly message: string; readonly initialValue: boolean }) => {
        asked.push(`${message} ${String(initialValue)}`);
        return Promise.resolve(answer);
      },
      isCancel: () => false,
    }));
    let screen = '';
    const stream = { write: (text: string) => (screen += text), colors: false };
    const code = await main(['olm', 'install', '--kubeconfig', kubeconfig], {
      ...{ cwd: folder, env: {}, stdout: stream, stderr: stream, terminal: true },
      readStdin: () => Promise.resolve(''),
      signal: new AbortController().signal,
    });
    vi.doUnmock('@clack/prompts');
    expect(asked).toEqual([
      `op-sdk does not know the SHA-256 digests above of the files of OLM v0 ${olmFacts.v0.defaultVersion}. Continue with these files? false`,
    ]);
    for (const digest of [crds, olm]) expect(screen).toContain(digest);
    expect(screen.includes('olm/invalid-manifests')).toBe(answer);
    expect(code).toBe(wanted);
  });

  test('takes it in a dry run, which writes nothing', async () => {
    expect((await install('--dry-run')).codes).toEqual(['olm/invalid-manifests']);
  });
});

describe('op-sdk olm install of a release that op-sdk knows', () => {
  const know = (digests: Readonly<Record<string, string>>): void =>
    void vi
      .spyOn(olmFacts.v0, 'releaseDigests')
      .mockImplementation((version) => (version === olmFacts.v0.defaultVersion ? digests : undefined));

  test('takes it if all files have the digests that come with op-sdk', async () => {
    know({ 'crds.yaml': crds, 'olm.yaml': olm });
    expect((await install()).codes).toEqual(['olm/invalid-manifests']);
    // Another version is another release.
    expect((await install('--version', '0.45.0')).codes).toEqual(['olm/unverified']);
  });

  test.each([
    ['another one', { 'crds.yaml': crds, 'olm.yaml': other }],
    ['none', { 'crds.yaml': crds }],
  ])('refuses a file for which op-sdk has %s, whatever --sha256 says', async (_, digests) => {
    know(digests);
    expect((await install()).codes).toEqual(['olm/checksum-mismatch']);
    expect((await install('--sha256', crds, '--sha256', olm)).codes).toEqual(['olm/checksum-mismatch']);
  });
});

describe('--manifests', () => {
  test('takes files as they are, and URLs that are named', async () => {
    expect((await install('--manifests', join(folder, 'crds.yaml'))).codes).toEqual([
      'olm/invalid-manifests',
    ]);
    expect((await install('--manifests', `${base}/crds.yaml`)).codes).toEqual(['olm/invalid-manifests']);
  });

  test('checks URLs by --sha256, which files do not have', async () => {
    const url = ['--manifests', `${base}/crds.yaml`, '--sha256'];
    expect((await install(...url, crds)).codes).toEqual(['olm/invalid-manifests']);
    expect((await install(...url, other)).codes).toEqual(['olm/checksum-mismatch']);
    expect((await install('--manifests', join(folder, 'crds.yaml'), '--sha256', crds)).codes).toEqual([
      'cli/invalid-value',
    ]);
  });
});
