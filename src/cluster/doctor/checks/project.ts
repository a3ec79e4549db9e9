import { isAbsolute, join, relative, resolve } from 'node:path';
import { formatWhere, isOpSdkError, type Finding } from '../../../base/errors/index.ts';
import { layout, readFileOf, shownCommand } from '../../../project/project/index.ts';
import { dependencyIn } from '../../../project/upgrade/index.ts';
import { pathExists } from '../../../base/util/fs.ts';
import {
  defineCheck,
  ok,
  problem,
  problemOf,
  skipped,
  packageManagerOf,
  warning,
  compareVersions,
} from '../check.ts';

/**
 * Reports packages that package.json lists but that are not installed, and packages that the sources import but package.json does not list.
 */
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
    // With Yarn's Plug'n'Play, packages are installed into archives, which only Yarn's own resolver can read. So the check is skipped.
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

/** Returns the finding with its position at the start of the message, because a line of the report does not show a position separately. */
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

/** Files and folders that a build of the operator reads if they exist. */
const sources = ['src', layout.assets, layout.packageJson, 'tsconfig.json', '.op-sdk'];

/** Checks that the Dockerfile copies all files from which the operator is built. */
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

/**
 * Finds the paths of the build context that a Dockerfile copies. Considers COPY and ADD instructions, except those that copy from another
 * stage.
 *
 * @returns a function that returns true for copied paths; undefined if the Dockerfile mounts its build context or builds nothing, because
 * its COPY instructions then do not show from which files the operator is built
 */
export function copiedPaths(dockerfile: string): ((path: string) => boolean) | undefined {
  const lines = dockerfile.replaceAll(/\\\r?\n/g, ' ').split(/\r?\n/);
  const runs = lines.filter((line) => /^\s*RUN\s/i.test(line));
  if (runs.some((line) => /--mount=type=bind/i.test(line)) || !runs.some((line) => /build/.test(line)))
    return undefined;
  const copied = lines.flatMap((line) => {
    const [, rest] = /^\s*(?:COPY|ADD)\s+(.+)$/i.exec(line) ?? [];
    if (rest === undefined || /--from=/.test(rest)) return [];
    const words = rest.startsWith('[') ? jsonWords(rest) : rest.split(/\s+/);
    return words.filter((word) => !word.startsWith('--')).slice(0, -1);
  });
  // A folder also counts as copied if a pattern copies only some of its files, because the other files are assumed to be left out on
  // purpose.
  return (path) => copied.some((pattern) => covers(pattern, path) || clean(pattern).startsWith(`${path}/`));
}

/**
 * Returns true if a .dockerignore excludes a path. The last line that matches the path decides. Source: Docker's reference of
 * .dockerignore.
 */
export function ignores(dockerignore: string, path: string): boolean {
  let ignored = false;
  for (const line of dockerignore.split(/\r?\n/)) {
    const rule = line.trim();
    if (rule === '' || rule.startsWith('#')) continue;
    const isException = rule.startsWith('!');
    if (covers(isException ? rule.slice(1) : rule, path)) ignored = !isException;
    // `*` and `!src/**`: parts of the folder come along, which ones is not looked into.
    else if (isException && clean(rule.slice(1)).startsWith(`${path}/`)) ignored = false;
  }
  return ignored;
}

/** Returns true if a pattern matches a path itself or one of its parent folders. */
function covers(pattern: string, path: string): boolean {
  const wanted = clean(pattern);
  if (wanted === '' || wanted === '.') return true;
  const parts = path.split('/');
  const expression = new RegExp(
    `^${wanted.split('/').map(segment).join('/').replaceAll('.*/', '(?:.*/)?')}$`,
  );
  return parts.some((_, index) => expression.test(parts.slice(0, index + 1).join('/')));
}

function clean(pattern: string): string {
  return pattern.replace(/^\.?\//, '').replace(/\/+$/, '');
}

function segment(text: string): string {
  if (text === '**') return '.*';
  return text
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
}

function jsonWords(text: string): readonly string[] {
  try {
    return (JSON.parse(text) as readonly unknown[]).filter((word) => typeof word === 'string');
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/**
 * Checks that the running op-sdk is the version on which the project depends, that it comes with the project, and that the project has its
 * scaffolds.
 */
export const sdkVersion = defineCheck({
  name: 'op-sdk',
  needs: ['project'],
  async run({ project: { root, cliVersion } }, { env, sdkVersion: running }) {
    const outside = pathOutside(root, (await readFileOf(root, layout.packageJson)) ?? '{}');
    if (outside !== undefined)
      return warning(
        'cluster/dependency-outside',
        `package.json takes opsdk from ${outside}, which is outside of the project`,
        'name a version, or copy the archive into .op-sdk and name it there, as file:.op-sdk/<archive>',
      );
    const text = await readFileOf(root, 'node_modules/opsdk/package.json');
    const installed = text === undefined ? undefined : versionIn(text);
    if (installed === undefined)
      return skipped(`op-sdk ${running} runs; the version of the project is unknown until it is installed`);
    if (installed !== running) {
      const message = `the running op-sdk has version ${running}, but the one installed in the project has ${installed}`;
      return warning(
        'cluster/other-op-sdk',
        message,
        `call the one of the project: ${shownCommand('op-sdk doctor', root, env)}`,
      );
    }
    if (cliVersion !== undefined && compareVersions(installed, cliVersion) < 0) {
      const message = `the project was created with op-sdk ${cliVersion}, but the older op-sdk ${installed} is installed in the project`;
      return warning('cluster/other-op-sdk', message, `npm install opsdk@^${cliVersion}`);
    }
    if (cliVersion !== undefined && compareVersions(cliVersion, running) < 0) {
      const message = `the project has the scaffolds of op-sdk ${cliVersion}, which is older than ${running}`;
      return warning('cluster/old-scaffolds', message, shownCommand('op-sdk upgrade', root, env));
    }
    return ok(`op-sdk ${running}, which the project has too`);
  },
});

/** Returns the dependency on opsdk if it is a path that leads out of the project. */
function pathOutside(root: string, packageJson: string): string | undefined {
  let value: string | undefined;
  try {
    value = dependencyIn(packageJson)?.value;
  } catch (error) {
    // Another check reports a package.json that cannot be read.
    if (!isOpSdkError(error)) throw error;
  }
  const [, path] = /^(?:file|link|portal):(.+)$/.exec(value ?? '') ?? [];
  if (path === undefined) return undefined;
  const way = relative(root, resolve(root, path));
  return way.startsWith('..') || isAbsolute(way) ? value : undefined;
}

function versionIn(packageJson: string): string | undefined {
  try {
    const { version } = JSON.parse(packageJson) as { readonly version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
