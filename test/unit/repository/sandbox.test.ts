import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { whyNoCgroups } from '../../../scripts/lib/sandbox.mjs';

const controllers = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'];

/** A folder in which cgroups look mounted. */
function cgroups(...files: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-cgroups-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}
const version1 = controllers.map((controller) => `${controller}/cgroup.procs`);

test('the cluster tests run where the controllers of cgroup v1 are mounted', () => {
  expect(whyNoCgroups(cgroups(...version1, 'unified/cgroup.controllers'))).toBeUndefined();
});

test('elsewhere they say why they are skipped', () => {
  expect(whyNoCgroups(cgroups('cgroup.controllers', 'cgroup.procs'))).toBe(
    'this machine has cgroup v2 alone, and the node of these tests needs the controllers of cgroup v1',
  );
  expect(whyNoCgroups(cgroups(...version1.slice(2)))).toBe(
    'the node of these tests needs the controllers of cgroup v1; not mounted or not writable: cpu, cpuacct',
  );
});
