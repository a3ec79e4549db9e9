import { join } from 'node:path';
import { layout, readFileOf } from '../../../project/index.ts';
import { pathExists } from '../../../util/fs.ts';
import { defineCheck, ok, problem, skipped } from '../check.ts';
import { packageManagerOf } from '../package-manager.ts';

/** Whether all that package.json asks for is installed. */
export const dependencies = defineCheck({
  name: 'dependencies',
  needs: ['project'],
  async run({ project: { root } }) {
    const text = await readFileOf(root, layout.packageJson);
    if (text === undefined)
      return problem('cluster/dependencies-missing', 'package.json is missing', 'restore package.json');
    const wanted = namesIn(text);
    if (wanted === undefined)
      return problem('cluster/dependencies-missing', 'package.json is not JSON', 'mend package.json');
    // Yarn's Plug'n'Play installs into archives; its own resolver is the only one that can tell.
    if (await pathExists(join(root, '.pnp.cjs'))) return skipped('they are installed without node_modules');
    const absent: string[] = [];
    for (const name of wanted) {
      if (!(await pathExists(join(root, 'node_modules', name, 'package.json')))) absent.push(name);
    }
    if (absent.length === 0) return ok(`${wanted.length} packages are installed`);
    const { name } = packageManagerOf(root);
    const message = `${absent.length} of ${wanted.length} packages are not installed: ${absent.join(', ')}`;
    return problem('cluster/dependencies-missing', message, `${name} install`);
  },
});

function namesIn(packageJson: string): readonly string[] | undefined {
  try {
    const { dependencies: runtime, devDependencies: development } = JSON.parse(packageJson) as {
      readonly dependencies?: object;
      readonly devDependencies?: object;
    };
    return Object.keys({ ...runtime, ...development }).sort();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
