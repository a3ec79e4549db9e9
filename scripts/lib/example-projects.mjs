// The examples as projects in folders of their own, with the package of this checkout.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, run } from './run.mjs';

/** Names of the examples, in the order of the alphabet. */
export const exampleNames = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** What `init` and `create` have to make of an empty folder before the files of an example are copied there. */
const scaffolds = {
  'memcached-operator': [
    ['create', 'api', '--group', 'cache', '--version', 'v1alpha1', '--kind', 'Memcached'],
  ],
  'namespace-sync': [],
  'nginx-operator': [
    ['create', 'api', '--group', 'operator', '--version', 'v1alpha1', '--kind', 'NginxOperator'],
  ],
};

const ofTwoVersions = ['--group', 'operator', '--version', 'v1alpha2', '--kind', 'NginxOperator'];

/** @returns {boolean} true if the example is a whole project, false if it is files to copy into one */
export function isWhole(name) {
  return existsSync(join(root, 'examples', name, 'package.json'));
}

/**
 * Makes a project of an example.
 *
 * @param {string} name of the example
 * @param {string} folder to make it in
 * @param {(...args: string[]) => Promise<unknown>} opSdk runs op-sdk in the folder
 */
async function createExample(name, folder, opSdk) {
  const copy = (from) =>
    cpSync(join(root, 'examples', from), folder, {
      recursive: true,
      filter: (path) => !['node_modules', 'dist'].includes(basename(path)),
    });
  if (isWhole(name)) return copy(name);
  const isSecond = name === 'two-versions';
  const first = isSecond ? 'nginx-operator' : name;
  const init = ['init', '--domain', 'example.com', '--project-name', first];
  await opSdk(...init, '--skip-install', '--opsdk', '*');
  for (const command of scaffolds[first]) await opSdk(...command);
  // What is scaffolded is tested together with what is not copied.
  rmSync(join(folder, 'test', 'controllers'), { recursive: true, force: true });
  copy(first);
  await opSdk('generate', 'manifests');
  if (!isSecond) return undefined;
  await opSdk('create', 'api', ...ofTwoVersions, '--resource', '--controller', '--storage', '--force');
  const webhook = ['create', 'webhook', ...ofTwoVersions, '--conversion', '--spoke', 'v1alpha1'];
  await opSdk(...webhook, '--cert-provider', 'self-signed');
  rmSync(join(folder, 'test', 'controllers'), { recursive: true, force: true });
  copy(name);
  await opSdk('generate', 'manifests');
  return undefined;
}

/** Makes a project of an example that uses this checkout: with links in place of an installation. */
export async function createLinkedExample(name, folder) {
  const program = join(root, 'bin', 'op-sdk.js');
  const opSdk = async (...args) => {
    const { code, output } = await run(process.execPath, [program, ...args], { cwd: folder, capture: 'all' });
    if (code !== 0) throw new Error(`op-sdk ${args.join(' ')}: exit code ${code}\n${output}`);
  };
  // The links come first: `generate` reads the types of the package.
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'opsdk'));
  if (isWhole(name)) {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'examples', name, 'package.json'), 'utf8'));
    for (const each of Object.keys(dependencies).filter((dependency) => dependency !== 'opsdk'))
      symlinkSync(join(root, 'node_modules', each), join(folder, 'node_modules', each));
  }
  await createExample(name, folder, opSdk);
}
