import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManager } from '../../../../../src/index.ts';
import { isOpSdkError } from '../../../../../src/base/errors/index.ts';
import { podNamespace } from '../../../../../src/sdk/kube/index.ts';
import {
  resolveElection,
  type LeaderElectionOptions,
} from '../../../../../src/sdk/runtime/election/index.ts';

const id = '1a9f0645.example.com';
const inPod = async (): Promise<string> => 'system';

async function refused(
  options: LeaderElectionOptions,
  findNamespace: () => Promise<string | undefined> = inPod,
) {
  return resolveElection(options, findNamespace).then(
    () => [],
    (error: unknown) => {
      if (!isOpSdkError(error)) throw error;
      return error.findings.map(({ code, message }) => `${code}: ${message}`);
    },
  );
}

describe('the options of leader election', () => {
  it("have client-go's defaults", async () => {
    expect(await resolveElection({ id }, inPod)).toEqual({
      ...{ id, namespace: 'system', releaseOnStop: true },
      ...{ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 },
    });
  });

  it('are taken as they are', async () => {
    const options = {
      id,
      namespace: 'other',
      leaseDuration: '1m',
      renewDeadline: 30_000,
      retryPeriod: '1.5s',
    } as const;
    expect(await resolveElection({ ...options, releaseOnStop: false }, inPod)).toEqual({
      ...{ id, namespace: 'other', releaseOnStop: false },
      ...{ leaseDuration: 60_000, renewDeadline: 30_000, retryPeriod: 1500 },
    });
  });

  it.each<[string, LeaderElectionOptions, string]>([
    ['an id with capitals', { id: 'Nginx' }, 'id: expected a DNS subdomain, got "Nginx"'],
    ['an empty id', { id: '' }, 'id: expected a DNS subdomain, got ""'],
    ['an id that is too long', { id: 'a'.repeat(254) }, 'id: expected a DNS subdomain'],
    ['no id', {} as LeaderElectionOptions, 'id: expected a DNS subdomain, got undefined'],
    [
      'a deadline as long as the lease',
      { id, renewDeadline: '15s' },
      'renewDeadline: expected less than leaseDuration (15 s), got 15 s',
    ],
    [
      'retries as long as the deadline, with jitter',
      { id, renewDeadline: '2.4s' },
      'retryPeriod: expected less than renewDeadline / 1.2 (2 s), got 2 s',
    ],
    ['no time', { id, retryPeriod: 0 }, 'retryPeriod: expected more than 0, got 0'],
    [
      'a namespace that cannot be',
      { id, namespace: 'a.b' },
      'namespace: expected the name of a namespace, got "a.b"',
    ],
  ])('AS7.a: are refused: %s', async (_, options, message) => {
    expect(await refused(options)).toEqual([
      expect.stringContaining(`runtime/invalid-leader-election: leader election: ${message}`),
    ]);
  });

  it('are refused with everything that is wrong', async () => {
    const options = {
      id: '-',
      leaseDuration: 'soon' as '1s',
      renewDeadline: '1s',
      retryPeriod: '1s',
    } as const;
    const found = await refused(options, async () => undefined);
    expect(found.map((finding) => finding.split(':')[0])).toEqual([
      'runtime/invalid-leader-election',
      'runtime/invalid-duration',
      'runtime/invalid-leader-election',
      'runtime/election-namespace',
    ]);
  });

  it('are checked with the other options of the manager', async () => {
    await expect(
      createManager({ name: '', leaderElection: { id: '?', namespace: 'x' } }),
    ).rejects.toMatchObject({
      findings: [{ code: 'runtime/invalid-manager' }, { code: 'runtime/invalid-leader-election' }],
    });
  });

  it('must not be missing if the command line asks for an election', async () => {
    await expect(createManager({ name: 'x', leaderElect: true })).rejects.toMatchObject({
      findings: [{ code: 'runtime/invalid-leader-election', where: { flag: '--leader-elect' } }],
    });
  });
});

describe("the pod's namespace", () => {
  it('is that of POD_NAMESPACE, else that of the ServiceAccount', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'opsdk-namespace-'));
    try {
      expect(await podNamespace({}, folder)).toBeUndefined();
      writeFileSync(join(folder, 'namespace'), 'from-file\n');
      expect(await podNamespace({}, folder)).toBe('from-file');
      expect(await podNamespace({ POD_NAMESPACE: '' }, folder)).toBe('from-file');
      expect(await podNamespace({ POD_NAMESPACE: 'from-env' }, folder)).toBe('from-env');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
