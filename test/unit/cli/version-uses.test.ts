// Where a project names a version of a kind, as `op-sdk storage check` sees it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { versionUses } from '../../../src/cli/commands/storage-check.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'op-sdk-uses-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: string, ...lines: readonly string[]): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), lines.join('\n'));
}

test('sources use the versions whose types they import, and those that they name', async () => {
  write(
    'src/controllers/cache/memcached.ts',
    "import { Memcached } from '../../api/cache/v1alpha1/memcached.ts';",
    "import { limits } from '../../api/cache/v1/limits.ts';",
    "const other = await import('../../api/cache/v1/redis-cluster.ts');",
    "import { x } from '../api/cache/v1alpha1/memcached.ts';",
    "const owned = 'cache.example.com/v1beta1';",
  );
  write('src/api/cache/v1/memcached.ts', "import { Port } from '../v1alpha1/memcached.ts';");
  write('src/conversions/cache/memcached.ts', "import '../../api/cache/v1alpha1/memcached.ts';");
  const group = 'cache.example.com';
  const definitions = [
    { group, kind: 'Memcached' },
    { group, kind: 'RedisCluster' },
  ];
  const file = 'src/controllers/cache/memcached.ts';
  expect(await versionUses(folder, { domain: 'example.com', resources: [] }, definitions)).toEqual([
    { apiVersion: `${group}/v1alpha1`, kind: 'Memcached', where: { file, line: 1 } },
    { apiVersion: `${group}/v1`, kind: undefined, where: { file, line: 2 } },
    { apiVersion: `${group}/v1`, kind: 'RedisCluster', where: { file, line: 3 } },
    { apiVersion: `${group}/v1beta1`, kind: undefined, where: { file, line: 5 } },
  ]);
});
