import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const opSdk = join(dirname(createRequire(import.meta.url).resolve('opsdk/package.json')), 'bin', 'op-sdk.js');

// Fails when types or controllers have changed and `op-sdk generate manifests` was not run.
it('finds the generated manifests up to date', { timeout: 120_000 }, async () => {
  const check = promisify(execFile)(process.execPath, [opSdk, 'generate', 'manifests', '--check']);
  await expect(check).resolves.toBeDefined();
});
