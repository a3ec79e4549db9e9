import { join } from 'node:path';
import { layout, readFileOf } from '../../../project/project/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { copiedPaths, ignores } from '../docker-context.ts';
import { defineCheck, ok, skipped, warning } from '../check.ts';

/** Files that a build of the operator reads, as far as they are there. */
const sources = ['src', layout.assets, layout.packageJson, 'tsconfig.json', '.op-sdk'];

/** Checks that the Dockerfile takes everything along that the operator is built from. */
export const dockerfile = defineCheck({
  name: 'dockerfile',
  needs: ['project'],
  async run({ project: { root } }) {
    const text = await readFileOf(root, 'Dockerfile');
    if (text === undefined) return skipped('the project has no Dockerfile; `op-sdk image build` needs none');
    const copied = copiedPaths(text);
    if (copied === undefined)
      return skipped(
        'the Dockerfile mounts its sources, or builds nothing: the files that it copies are unknown',
      );
    const ignored = (await readFileOf(root, '.dockerignore')) ?? '';
    const lost: string[] = [];
    for (const path of sources) {
      if (!(await pathExists(join(root, path)))) continue;
      if (ignores(ignored, path)) lost.push(`${path} (by .dockerignore)`);
      else if (!copied(path)) lost.push(path);
    }
    if (lost.length === 0) return ok('the Dockerfile copies all sources');
    const message = `the Dockerfile does not copy ${lost.join(', ')} into the image that builds the operator`;
    return warning(
      'cluster/dockerfile-misses-sources',
      message,
      'add `COPY . .` before the build, or COPY what is missing',
    );
  },
});
