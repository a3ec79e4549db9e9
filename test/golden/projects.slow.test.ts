// Whole projects as op-sdk makes them, to be read and reviewed. UPDATE_GOLDEN=1 rewrites them.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';

const golden = fileURLToPath(new URL('projects/', import.meta.url));
let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-golden-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const init = (...flags: string[]) => [
  'init',
  '--skip-install',
  '--opsdk',
  '^0.1.0',
  '--domain',
  'example.com',
  ...flags,
];
const api = (group: string, version: string, kind: string, ...flags: string[]) => [
  ...['create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

const foreign = (group: string, version: string, kind: string, ...flags: string[]) =>
  api(group, version, kind, '--resource=false', '--controller', ...flags);

const webhook = (group: string, version: string, kind: string, ...flags: string[]) => [
  ...['create', 'webhook', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

const projects: Record<string, readonly (readonly string[])[]> = {
  // What init alone gives.
  empty: [init('--repo', 'github.com/example/empty', '--owner', 'The Empty Authors')],
  // The usual way: one kind with its controller.
  basic: [init(), api('cache', 'v1alpha1', 'Memcached')],
  // A second version, the same kind in another group, an irregular plural, cluster scope, types without a controller.
  kinds: [
    init('--license', 'none'),
    api('cache', 'v1alpha1', 'Memcached'),
    api('cache', 'v1beta1', 'Memcached'),
    api('legacy.cache', 'v1', 'Memcached'),
    api('network', 'v1', 'HTTPProxy', '--plural', 'httpproxys', '--namespaced=false'),
    api('network', 'v1', 'Class', '--controller=false'),
  ],
  // Further versions of a kind: one beside the first, and one that objects are stored in and that the controller moves to.
  versions: [
    init('--license', 'none'),
    api('cache', 'v1alpha1', 'Memcached'),
    api('cache', 'v1beta1', 'Memcached', '--controller=false'),
    api('cache', 'v1', 'Memcached', '--storage', '--controller', '--force'),
    api('backup', 'v1', 'Backup'),
  ],
  // Two controllers of a kind, and a kind whose only controller has a name.
  controllers: [
    init('--license', 'none'),
    api('cache', 'v1', 'Memcached'),
    api('cache', 'v1', 'Memcached', '--resource=false', '--controller-name', 'memcached-backup'),
    api('cache', 'v1', 'Redis', '--controller-name', 'redis-failover-controller'),
  ],
  // Controllers of built-in kinds: of a group with and without a domain, of the core group, and two of one kind.
  core: [
    init('--license', 'none'),
    foreign('apps', 'v1', 'Deployment'),
    foreign('apps', 'v1', 'Deployment', '--controller-name', 'deployment-audit'),
    foreign('networking', 'v1', 'Ingress'),
    foreign('core', 'v1', 'Pod'),
  ],
  // A controller of a kind that a CRD defines, beside a kind of the project with the same name.
  external: [
    init('--license', 'none'),
    api('shop', 'v1', 'Widget'),
    ['create', 'api', '--external-api-path', 'widgets.yaml', '--version', 'v1', '--kind', 'Widget'],
    [
      'create',
      'api',
      '--external-api-path',
      'widgets.yaml',
      '--kind',
      'Gadget',
      '--controller-name',
      'gadgets',
    ],
  ],
  // An operator of one namespace, with a kind of it and one of the whole cluster.
  namespaced: [
    init('--license', 'none', '--namespaced'),
    api('cache', 'v1', 'Memcached'),
    api('cache', 'v1', 'Region', '--namespaced=false', '--controller=false'),
  ],
  // The usual way to webhooks: those of one kind, certificates of cert-manager.
  'cert-manager': [
    init('--license', 'none'),
    api('cache', 'v1', 'Memcached', '--controller=false'),
    webhook('cache', 'v1', 'Memcached', '--defaulting', '--programmatic-validation'),
  ],
  // Admission webhooks: of two kinds and of a second version, and a function that comes later; certificates of cert-manager.
  webhooks: [
    init('--license', 'none'),
    api('cache', 'v1', 'Memcached'),
    webhook('cache', 'v1', 'Memcached', '--defaulting'),
    webhook('cache', 'v1', 'Memcached', '--programmatic-validation'),
    api('cache', 'v2', 'Memcached', '--controller=false'),
    webhook('cache', 'v2', 'Memcached', '--defaulting', '--defaulting-path', '/default-memcached'),
    api('backup', 'v1', 'Backup', '--controller=false'),
    webhook('backup', 'v1', 'Backup', '--programmatic-validation'),
  ],
  // Webhooks whose certificate the operator makes itself.
  'self-signed': [
    init('--license', 'none'),
    api('cache', 'v1', 'Memcached', '--controller=false'),
    webhook('cache', 'v1', 'Memcached', '--programmatic-validation', '--cert-provider', 'self-signed'),
    webhook('cache', 'v1', 'Memcached', '--defaulting'),
  ],
  // A conversion between the versions of a kind: first of those that are there, then of a further one too.
  conversion: [
    init('--license', 'none'),
    api('cache', 'v1alpha1', 'Memcached', '--controller=false'),
    api('cache', 'v1beta1', 'Memcached', '--controller=false'),
    api('cache', 'v1', 'Memcached', '--controller=false'),
    webhook('cache', 'v1', 'Memcached', '--conversion', '--spoke', 'v1alpha1,v1beta1'),
    api('cache', 'v2alpha1', 'Memcached', '--controller=false'),
  ],
  // Webhooks of kinds of Kubernetes.
  'core-webhook': [
    init('--license', 'none'),
    webhook('core', 'v1', 'Pod', '--defaulting'),
    webhook('apps', 'v1', 'Deployment', '--programmatic-validation'),
  ],
  // Everything together, certificates of the operator.
  'all-webhooks': [
    init('--license', 'none', '--namespaced'),
    api('cache', 'v1alpha1', 'Memcached', '--controller=false'),
    api('cache', 'v1', 'Memcached', '--controller=false'),
    webhook(
      'cache',
      'v1',
      'Memcached',
      ...['--defaulting', '--programmatic-validation', '--conversion', '--cert-provider', 'self-signed'],
    ),
    webhook('core', 'v1', 'Pod', '--programmatic-validation'),
  ],
  // A controller of a kind whose token a package exports.
  module: [
    init('--license', 'none'),
    foreign(
      'parts',
      'v1',
      'Widget',
      '--external-api-path',
      'widgets/v1',
      '--external-api-domain',
      'example.org',
    ),
  ],
};

/** What is in the folder of a project before its commands run. */
const beforehand: Record<string, Record<string, string>> = {
  external: {
    'widgets.yaml': [crd('Widget', 'Namespaced', ['v1', 'v1beta1']), crd('Gadget', 'Cluster', ['v1'])].join(
      '---\n',
    ),
  },
  module: {
    'node_modules/widgets/package.json': JSON.stringify({
      name: 'widgets',
      type: 'module',
      exports: { './v1': { types: './v1.d.ts', default: './v1.js' } },
    }),
    'node_modules/widgets/v1.d.ts': `import type { CustomResource, Resource } from 'opsdk';
export interface Widget extends CustomResource<'parts.example.org/v1', 'Widget'> { spec: { size: string } }
export declare const Widget: Resource<Widget>;
`,
    'node_modules/widgets/v1.js': `import { externalResource } from 'opsdk';
export const Widget = externalResource({ group: 'parts.example.org', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' });
`,
  },
};

function crd(kind: string, scope: string, versions: readonly string[]): string {
  const plural = `${kind.toLowerCase()}s`;
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${plural}.parts.example.org
spec:
  group: parts.example.org
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  scope: ${scope}
  versions:
${versions
  .map(
    (version, index) => `    - name: ${version}
      served: true
      storage: ${index === 0}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              description: What a ${kind} is asked to be.
              type: object
              required: [size]
              properties:
                size: { type: string, enum: [small, large] }
`,
  )
  .join('')}`;
}

function filesOf(folder: string, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(join(folder, prefix))
      .filter((name) => name !== 'node_modules')
      .sort()
      .map((name) => {
        const path = prefix === '' ? name : `${prefix}/${name}`;
        if (statSync(join(folder, path)).isDirectory()) return filesOf(folder, path);
        return { [path]: readFileSync(join(folder, path), 'utf8') };
      }),
  ) as Record<string, string>;
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

describe.each(Object.entries(projects))('%s', (name, commands) => {
  it('is made as it always was', async () => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    for (const argv of commands) {
      const run = await runCli(argv, { cwd: folder });
      expect(run.code, `${argv.join(' ')}\n${run.stderr}`).toBe(0);
      // `init` wants an empty folder.
      if (argv[0] === 'init') writeFiles(folder, beforehand[name] ?? {});
      const again = await runCli(['generate', 'manifests', '--check'], { cwd: folder });
      expect(again.code, `after ${argv.join(' ')}\n${again.stderr}`).toBe(0);
    }
    const expected = join(golden, name);
    if (process.env['UPDATE_GOLDEN'] === '1') {
      rmSync(expected, { recursive: true, force: true });
      cpSync(folder, expected, {
        recursive: true,
        filter: (path) => basename(path) !== 'node_modules',
      });
    }
    expect(filesOf(folder)).toEqual(existsSync(expected) ? filesOf(expected) : {});
  });

  it('passes prettier --check', async () => {
    const folder = join(golden, name);
    const options = await prettier.resolveConfig(join(folder, 'package.json'), { editorconfig: false });
    const ignorePath = ['.prettierignore', '.gitignore'].map((file) => join(folder, file));
    const badly: string[] = [];
    let checked = 0;
    for (const [path, text] of Object.entries(filesOf(folder))) {
      const filepath = join(folder, path);
      const { ignored, inferredParser } = await prettier.getFileInfo(filepath, { ignorePath });
      if (ignored || inferredParser === null) continue;
      checked++;
      if (!(await prettier.check(text, { ...options, filepath }))) badly.push(path);
    }
    expect(badly).toEqual([]);
    expect(checked).toBeGreaterThan(8);
  });
});

it('every golden project is generated by a test', () => {
  expect(readdirSync(golden).sort()).toEqual(Object.keys(projects).sort());
});
