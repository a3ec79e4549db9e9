// The nginx operator of the tutorial, made the way a user would make it: packed tarball, empty folder, the documented commands.
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { must, root } from './run.mjs';

/**
 * Packs the built package, unless OP_SDK_TEST_TARBALL names one that was packed before.
 * @returns {Promise<string>} the tarball
 */
export async function packPackage(folder) {
  const packed = process.env.OP_SDK_TEST_TARBALL ?? '';
  if (packed !== '') return packed;
  mkdirSync(folder, { recursive: true });
  const output = await must('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    capture: true,
  });
  return join(folder, output.trim().split('\n').at(-1));
}

/**
 * The commands that make the project, in order; each is a title and an action.
 * @param {{ folder: string, tarball: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} options `folder` is the project's, it need not exist
 */
export function nginxProjectSteps({ folder, tarball, env = process.env, quiet = false }) {
  const inside = { cwd: folder, env, quiet };
  const opSdk = (...args) => must('npx', ['--no-install', 'op-sdk', ...args], inside);
  return [
    {
      title: `npm exec --package=<tarball> -- opsdk init --domain example.com --repo github.com/example/nginx-operator`,
      action: async () => {
        mkdirSync(folder, { recursive: true });
        const init = [
          'opsdk',
          'init',
          '--domain',
          'example.com',
          '--repo',
          'github.com/example/nginx-operator',
        ];
        await must('npm', ['exec', '--yes', `--package=${tarball}`, '--', ...init], inside);
      },
    },
    {
      title:
        'op-sdk create api --group operator --version v1alpha1 --kind NginxOperator --resource --controller',
      action: () =>
        opSdk(
          'create',
          'api',
          '--group',
          'operator',
          '--version',
          'v1alpha1',
          '--kind',
          'NginxOperator',
          '--resource',
          '--controller',
        ),
    },
    {
      title: "the tutorial's types, controller and asset",
      action: async () => cpSync(join(root, 'examples', 'nginx-operator'), folder, { recursive: true }),
    },
    { title: 'op-sdk generate manifests', action: () => opSdk('generate', 'manifests') },
    { title: 'npm run build', action: () => must('npm', ['run', '--silent', 'build'], inside) },
  ];
}
