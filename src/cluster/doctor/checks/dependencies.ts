import { join } from 'node:path';
import { formatWhere } from '../../../base/errors/format.ts';
import type { Finding } from '../../../base/errors/index.ts';
import { layout, readFileOf } from '../../../project/project/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import { defineCheck, ok, problem, problemOf, skipped } from '../check.ts';
import { packageManagerOf } from '../package-manager.ts';

/** Reports packages that package.json asks for and are not installed, and those that are imported and it does not list. */
export const dependencies = defineCheck({
  name: 'dependencies',
  needs: ['project'],
  async run({ project: { root } }, _world, attempt) {
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
    if (absent.length === 0) {
      const kinds = await attempt('kinds');
      const unlisted = 'error' in kinds ? [] : kinds.value.unlisted;
      if (unlisted.length > 0) return { ...problemOf(unlisted.map(withPlace)), status: 'warning' };
      return ok(`${wanted.length} packages are installed`);
    }
    const { name } = packageManagerOf(root);
    const message = `${absent.length} of ${wanted.length} packages are not installed: ${absent.join(', ')}`;
    return problem('cluster/dependencies-missing', message, `${name} install`);
  },
});

/** A line of the report has no place of its own. */
function withPlace(finding: Finding): Finding {
  const { where } = finding;
  return where === undefined ? finding : { ...finding, message: `${formatWhere(where)}: ${finding.message}` };
}

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
