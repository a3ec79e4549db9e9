// Disks that refuse: a read-only mount and a full file system, in a mount namespace of their own so that nothing stays mounted.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { treeOf } from '../helpers/tree.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-cannot-write-'));
const project = join(scratch, 'project');
const createApi = `create api --group cache --version v1 --kind Memcached -o json`;

const mountsAllowed =
  spawnSync('unshare', ['-m', 'sh', '-c', `mount -t tmpfs tmpfs '${scratch}'`]).status === 0;

/** Runs a shell script whose mounts end with it. */
function inNamespace(script: string) {
  const { status, stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-ec', script], {
    encoding: 'utf8',
    env: { ...process.env, OP_SDK: `${process.execPath} ${opSdk}` },
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  mkdirSync(project);
  const init = spawnSync(
    process.execPath,
    [opSdk, 'init', '--domain', 'example.com', '--skip-install', '--opsdk', '^0.1.0'],
    {
      cwd: project,
      encoding: 'utf8',
    },
  );
  expect(init.stderr).not.toContain('error[');
  expect(init.status).toBe(0);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.runIf(mountsAllowed)('nothing is written where something cannot be written', () => {
  test('create api in a project on a read-only mount', () => {
    const before = treeOf(project);
    const run = inNamespace(`
      mount --bind '${project}' '${project}' && mount -o remount,ro,bind '${project}'
      cd '${project}' && $OP_SDK ${createApi}`);
    expect(run.status, run.stderr).toBe(1);
    expect(JSON.parse(run.stdout).errors).toMatchObject([
      { code: 'io/cannot-write', where: { file: expect.any(String) }, fix: [expect.any(String)] },
    ]);
    expect(treeOf(project)).toEqual(before);
  });

  test('create api in a project on a full file system leaves the project as it was', () => {
    const full = join(scratch, 'full');
    const copy = join(scratch, 'copy');
    mkdirSync(full);
    cpSync(project, copy, { recursive: true });
    const run = inNamespace(`
      mount -t tmpfs -o size=2m tmpfs '${full}' && cp -r '${copy}/.' '${full}/'
      dd if=/dev/zero of='${full}/filler' bs=4k 2>/dev/null || true
      cd '${full}' && status=0; $OP_SDK ${createApi} || status=$?
      rm filler; rm -rf '${copy}'; cp -r . '${copy}'; exit $status`);
    expect(run.status, run.stderr).toBe(1);
    expect(JSON.parse(run.stdout).errors[0]).toMatchObject({ code: 'io/cannot-write' });
    expect(treeOf(copy)).toEqual(treeOf(project));
  });

  test('init on a full file system leaves nothing behind', () => {
    const full = join(scratch, 'full-init');
    mkdirSync(full);
    const run = inNamespace(`
      mount -t tmpfs -o size=64k tmpfs '${full}' && cd '${full}' && mkdir app && dd if=/dev/zero of=filler bs=4k 2>/dev/null || true
      cd app && status=0; $OP_SDK init --domain example.com --skip-install --opsdk ^0.1.0 -o json || status=$?
      ls -A . | sed 's/^/left: /' >&2; exit $status`);
    expect(run.status, run.stderr).toBe(1);
    expect(JSON.parse(run.stdout).errors[0]).toMatchObject({ code: 'io/cannot-write' });
    expect(run.stderr).not.toContain('left: ');
  });
});

if (!mountsAllowed) {
  test('a read-only mount and a full file system', (context) => {
    context.skip('mounts are not allowed on this machine');
  });
}
