// op-sdk as it was at an earlier commit of this repository, packed once per machine, for tests that start from a project of that time.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFolder, ProgramsUnavailable } from './go-programs.mjs';
import { packFolder } from './release-packages.mjs';
import { run } from './run.mjs';

/** Seconds for one command, on a machine that is busy with other things. */
const limit = 900;

/**
 * Packs the package of a commit, with the nginx operator among its examples.
 * @param {string} commit its hash; a shallow clone may lack it
 * @returns {Promise<{ tarball: string, example: string }>} the archive of the package, and the folder of the example
 * @throws ProgramsUnavailable with the reason if this machine cannot pack it
 */
export async function ensureOldPackage(commit) {
  const { code } = await run('git', ['cat-file', '-e', `${commit}^{commit}`], { capture: 'all' });
  if (code !== 0) throw new ProgramsUnavailable(`this clone lacks the commit ${commit}`);
  const folder = await ensureFolder(`opsdk-${commit}`, `pack op-sdk of ${commit}`, async (made) => {
    const work = mkdtempSync(join(tmpdir(), 'op-sdk-old-package-'));
    try {
      const archive = join(work, 'sources.tar');
      const sources = join(work, 'sources');
      const must = async (cwd, command, ...args) => {
        const { code, output } = await run(command, args, { cwd, limit, capture: 'all' });
        if (code !== 0)
          throw new ProgramsUnavailable(
            `${[command, ...args].join(' ')} failed for ${commit}: ${output.trim().split('\n').slice(-5).join('; ')}`,
          );
      };
      await must(undefined, 'git', 'archive', `--output=${archive}`, '--prefix=sources/', commit);
      await must(work, 'tar', '-xf', archive);
      await must(sources, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
      await must(sources, 'npm', 'run', 'build');
      cpSync(await packFolder(sources, work), join(made, 'opsdk.tgz'));
      cpSync(join(sources, 'examples/nginx-operator'), join(made, 'nginx-operator'), { recursive: true });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
  return { tarball: join(folder, 'opsdk.tgz'), example: join(folder, 'nginx-operator') };
}
