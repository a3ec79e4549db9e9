// A project from the packed tarball passes its own tests, lint, type check and manifest check after every command, unedited.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readGuide } from '../helpers/guide.ts';
import { mustIn, opSdk, passesItsOwnChecks } from '../helpers/own-checks.ts';
import { linkDependencies } from '../helpers/shared-projects.ts';
import { isThorough } from '../helpers/thorough.ts';

let scratch = '';
let project = '';
const lastTitle = 'a controller for a kind that is there';
const hostile = "O'Hara */ ${x} {{y}}";
const api = (group: string, version: string, kind: string, ...flags: string[]) => [
  ...[opSdk, 'create', 'api', '--group', group, '--version', version, '--kind', kind],
  ...flags,
];

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.parts.example.org' },
  spec: {
    group: 'parts.example.org',
    names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
};

/** A package that exports the token of a kind. */
const gadgets = {
  'package.json': JSON.stringify({
    name: 'gadgets',
    version: '1.0.0',
    type: 'module',
    exports: { './v1': { types: './v1.d.ts', default: './v1.js' } },
  }),
  'v1.d.ts': `import type { CustomResource, Resource } from 'opsdk';
export interface Gadget extends CustomResource<'gadgets.example.org/v1', 'Gadget'> { spec: { size: string } }
export declare const Gadget: Resource<Gadget>;
`,
  'v1.js': `import { externalResource } from 'opsdk';
export const Gadget = externalResource({ group: 'gadgets.example.org', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Cluster' });
`,
};

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-scaffold-'));
  project = join(scratch, 'cache-operator');
  mkdirSync(project);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs what AGENTS.md names below "Generate and check", but the tests that start an API server. */
async function passesTheChecksOfAgents(): Promise<void> {
  const scripts = readGuide(readFileSync(join(project, 'AGENTS.md'), 'utf8')).flatMap((step) =>
    step.kind === 'commands' && step.script.includes('--check') ? [step.script] : [],
  );
  const commands = scripts.flatMap((script) => script.trim().split('\n'));
  expect(commands).toContain('npm run test:integration');
  for (const command of commands) if (!command.endsWith(':integration')) await must(...command.split(' '));
}

const must = (...command: readonly string[]): Promise<void> => mustIn(project, ...command);

describe('every command leaves a project that passes its own checks', () => {
  test('init, with hostile text in owner and repo', async () => {
    await linkDependencies(project);
    const init = ['init', '--skip-install', '--domain', 'example.com', '--owner', hostile, '--repo', hostile];
    await must(opSdk, ...init);
    if (isThorough) await passesItsOwnChecks(project);
    expect(parse(readFileSync(join(project, 'PROJECT'), 'utf8'))).toMatchObject({ repo: hostile });
    expect(readFileSync(join(project, 'src/main.ts'), 'utf8')).toContain(`// Copyright ${hostile}.\n`);
  });

  test('what others define is there', () => {
    writeFileSync(join(scratch, 'widgets.json'), JSON.stringify(widgets));
    const folder = join(scratch, 'node_modules/gadgets');
    mkdirSync(folder, { recursive: true });
    symlinkSync(join(project, 'node_modules/opsdk'), join(scratch, 'node_modules/opsdk'));
    for (const [file, text] of Object.entries(gadgets)) writeFileSync(join(folder, file), text);
  });

  test.each([
    ['the first kind', api('cache', 'v1alpha1', 'Memcached')],
    ['a second version', api('cache', 'v1', 'Memcached')],
    [
      'the same kind in another group, cluster-scoped',
      api('legacy.cache', 'v1', 'Memcached', '--namespaced=false'),
    ],
    [
      'a version that is stored, to which the controller moves',
      api('cache', 'v2', 'Memcached', '--storage', '--controller', '--force'),
    ],
    ['a kind whose name is a reserved word', api('network', 'v1', 'Class', '--plural', 'networkclasses')],
    ['types without a controller', api('network', 'v1', 'HTTPRoute', '--controller=false')],
    ['a kind to delete', api('network', 'v1', 'Gateway')],
    ['a kind of which the sources stay', api('network', 'v1', 'Route')],
    ['a controller of a built-in kind', api('apps', 'v1', 'Deployment', '--resource=false')],
    [
      'a further controller of a kind',
      api('cache', 'v1', 'Memcached', '--resource=false', '--controller-name', 'memcached-backup'),
    ],
    ['a kind of a CRD', [opSdk, 'create', 'api', '--external-api-path', '../widgets.json']],
    ['a kind of a package', [opSdk, 'create', 'api', '--external-api-path', 'gadgets/v1']],
    ['an operator of one namespace', [opSdk, 'edit', '--namespaced', '--license', 'none']],
    [lastTitle, api('network', 'v1', 'HTTPRoute', '--resource=false')],
  ])('create api: %s', async (title, argv) => {
    await must(...argv);
    if (title === lastTitle) {
      const of = (kind: string) => [opSdk, 'delete', 'api', '--group', 'network', '--kind', kind];
      await must(...of('Gateway'), '--sources');
      await must(...of('Route'));
    }
    // What one of these commands breaks stays broken until the last of them, where all of it is checked; a thorough run checks after each.
    if (title === lastTitle) await passesTheChecksOfAgents();
    else if (isThorough) await passesItsOwnChecks(project);
    else await must(opSdk, 'generate', 'manifests', '--check');
  });

  test('make calls the same', async () => {
    // The scripts behind the others have just been run by npm.
    const others = isThorough ? ['fmt', 'lint', 'test'] : [];
    await must('make', 'help', 'manifests', 'vet', 'build', ...others);
  });
});
