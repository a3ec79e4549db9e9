import { execFile, spawnSync } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { resolveAssets } from '../../../src/testing/index.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';
import { isThorough } from '../../helpers/thorough.ts';

/** User without any rights, which Linux calls nobody. */
const user = 65_534;
const asNobody = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', process.execPath];
const look = `fs.readdirSync(${JSON.stringify(join(repositoryRoot, 'node_modules/vitest/'))})`;
const canChange =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('setpriv', [...asNobody, '-e', look]).status === 0;

test.skipIf(!isThorough || !canChange)(
  `a drill needs no rights${canChange ? '' : ' (not tried: root, setpriv and a Node for all users are missing)'}`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'opsdk-nobody-'));
    try {
      // The cache of root is closed to others.
      const assets = join(folder, 'assets');
      await cp((await resolveAssets()).folder, assets, { recursive: true });
      await chmod(assets, 0o755);
      await chown(folder, user, user);
      const vitest = join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
      const args = [
        'run',
        '--configLoader=runner',
        '--project=slow-control-plane',
        'test/control-plane/drills/etcd/etcd.slow.test.ts',
      ];
      const { PATH } = process.env;
      const { stdout } = await promisify(execFile)('setpriv', [...asNobody, vitest, ...args], {
        cwd: repositoryRoot,
        env: { PATH, HOME: folder, TMPDIR: folder, KUBEBUILDER_ASSETS: assets, NO_COLOR: '1' },
      });
      expect(stdout).toMatch(/Tests +[1-9]\d* passed/);
      expect(stdout).not.toContain('failed');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  300_000,
);
