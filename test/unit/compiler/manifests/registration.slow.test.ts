import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/base/errors/index.ts';
import { generateManifests, projectKinds } from '../../../../src/compiler/manifests/index.ts';
import { runCli } from '../../../helpers/run-cli.ts';

const goldens = join(import.meta.dirname, '../../../golden/projects');
let scratch = '';
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'op-sdk-registration-'));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const registration = [
  'manifests/not-in-project',
  'manifests/no-source',
  'manifests/crd-not-listed',
  'manifests/controller-not-added',
];

/** A project with several kinds, edited. */
function project(edits: Readonly<Record<string, (text: string) => string>> = {}): string {
  const folder = mkdtempSync(join(scratch, 'project-'));
  cpSync(join(goldens, 'kinds'), folder, { recursive: true });
  for (const [path, edit] of Object.entries(edits)) {
    const before = readFileSync(join(folder, path), 'utf8');
    const after = edit(before);
    expect(after, path).not.toBe(before);
    writeFileSync(join(folder, path), after);
  }
  return folder;
}

/** What both `generate manifests` and `doctor` say. */
function said(projectDir: string): readonly Finding[] {
  const findings = generateManifests({ projectDir }).warnings.filter(({ code }) =>
    registration.includes(code),
  );
  expect(projectKinds(projectDir).unregistered).toEqual(findings);
  return findings;
}

const without =
  (...lines: readonly string[]) =>
  (text: string): string =>
    text
      .split('\n')
      .filter((line) => !lines.some((each) => line.includes(each)))
      .join('\n');

describe('what is declared and not registered', () => {
  // The package that `module` imports is not installed there.
  const scaffolds = readdirSync(goldens).filter((name) => !name.includes('.') && name !== 'module');
  test.each(scaffolds)('nothing in the scaffold %s', (name) => {
    expect(said(join(goldens, name))).toEqual([]);
  });

  test('nothing in the example', () => {
    expect(said(join(import.meta.dirname, '../../../../examples/nginx-operator'))).toEqual([]);
  });

  test('a CRD that the kustomization does not list', () => {
    const folder = project({ 'config/crd/kustomization.yaml': without('network.example.com_classes') });
    expect(said(folder)).toEqual([
      {
        code: 'manifests/crd-not-listed',
        message:
          'the CustomResourceDefinition of Class is not in config/crd/kustomization.yaml, so it is not installed',
        where: { file: 'config/crd/kustomization.yaml' },
        fix: ['add to resources in config/crd/kustomization.yaml: - bases/network.example.com_classes.yaml'],
      },
    ]);
  });

  test('a kind that PROJECT does not list, with the entry to add', () => {
    const last = /- api:\n(?: {2}.*\n)* {2}kind: Class\n(?: {2}.*\n)*/;
    const folder = project({ PROJECT: (text) => text.replace(last, '') });
    const [finding, ...others] = said(folder);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      code: 'manifests/not-in-project',
      message: 'network.example.com/v1, Kind=Class is declared, but not listed in PROJECT',
      where: { file: 'src/api/network/v1/class.ts' },
    });
    const [fix = ''] = finding?.fix ?? [];
    const entry = fix.replace(/^add to resources in PROJECT: /, '');
    writeFileSync(
      join(folder, 'PROJECT'),
      readFileSync(join(folder, 'PROJECT'), 'utf8').replace(/^version:/m, `${entry}\nversion:`),
    );
    expect(said(folder)).toEqual([]);
  });

  test('an entry of PROJECT whose source is gone', () => {
    const folder = project();
    rmSync(join(folder, 'src/api/network/v1/class.ts'));
    expect(said(folder)).toEqual([
      {
        code: 'manifests/no-source',
        message: 'PROJECT lists network.example.com/v1, Kind=Class, but no source declares it',
        where: { file: 'PROJECT' },
        fix: [
          'restore its declaration in src/api/network/v1/class.ts',
          'or remove its entry from resources in PROJECT',
        ],
      },
    ]);
  });

  test('a controller that is never added, of two of the same name the right one', () => {
    const folder = project({
      'src/main.ts': without('LegacyCacheMemcached', 'legacyCacheMemcached', 'controllers/legacy.cache'),
    });
    expect(said(folder)).toMatchObject([
      {
        code: 'manifests/controller-not-added',
        message: 'memcachedController is never added to the manager, so it does not run',
        where: { file: 'src/controllers/legacy.cache/memcached.ts' },
        fix: [
          "add to src/main.ts: import { memcachedController } from './controllers/legacy.cache/memcached.ts';",
          'and before manager.run: manager.add(memcachedController);',
        ],
      },
    ]);
  });

  test('an import alone does not add a controller', () => {
    const folder = project({ 'src/main.ts': without('manager.add(httpProxyController)') });
    expect(said(folder).map(({ code }) => code)).toEqual(['manifests/controller-not-added']);
  });

  test('not what people have commented out, nor controllers that are added in other ways', () => {
    const folder = project({
      'config/crd/kustomization.yaml': (text) =>
        text.replace('- bases/network.example.com_classes', '#- bases/network.example.com_classes'),
      'src/main.ts': (text) =>
        text
          .replace('  manager.add(httpProxyController)', '  // manager.add(httpProxyController)')
          .replace(
            '  manager.add(memcachedController);\n',
            '  for (const each of Object.values(all)) manager.add(each);\n',
          )
          .replace(
            "import { memcachedController } from './controllers/cache/memcached.ts'",
            "import { all } from './all.ts'",
          ),
    });
    writeFileSync(
      join(folder, 'src/all.ts'),
      "import * as cache from './reexport.ts';\nexport const all = { first: cache.renamed };\n",
    );
    writeFileSync(
      join(folder, 'src/reexport.ts'),
      "export { memcachedController as renamed } from './controllers/cache/memcached.ts';\n",
    );
    expect(said(folder)).toEqual([]);
  });

  test('not kinds of other domains, nor kustomizations that list folders', () => {
    const folder = project({ 'config/crd/kustomization.yaml': () => 'resources:\n- bases\n' });
    const types = readFileSync(join(folder, 'src/api/network/v1/class.ts'), 'utf8');
    mkdirSync(join(folder, 'src/imported'));
    writeFileSync(
      join(folder, 'src/imported/class.ts'),
      types.replaceAll('network.example.com', 'things.example.org'),
    );
    expect(said(folder)).toEqual([]);
  });

  test('fails generate --strict, and is a warning of doctor', async () => {
    const cwd = project({ 'config/crd/kustomization.yaml': without('network.example.com_classes') });
    const strict = await runCli(['generate', 'manifests', '--strict'], { cwd });
    expect([strict.code, strict.stderr]).toEqual([
      1,
      expect.stringContaining('error[manifests/crd-not-listed]'),
    ]);
    expect((await runCli(['generate', 'manifests'], { cwd })).code).toBe(0);
    const doctor = await runCli(['doctor', '--kubeconfig', join(scratch, 'none')], { cwd });
    expect(doctor.stdout + doctor.stderr).toMatch(
      /warning\s+registration\s+the CustomResourceDefinition of Class/,
    );
  });
});

test('a project of controllers for built-in kinds gets no advice to create a kind', async () => {
  const cwd = mkdtempSync(join(scratch, 'core-'));
  cpSync(join(goldens, 'empty'), cwd, { recursive: true });
  mkdirSync(join(cwd, 'src/controllers'));
  writeFileSync(
    join(cwd, 'src/controllers/node.ts'),
    "import { defineController } from 'opsdk';\nimport { Node } from 'opsdk/k8s/core/v1';\nexport const nodeController = defineController({ for: Node, reconcile() {} });\n",
  );
  const main = readFileSync(join(cwd, 'src/main.ts'), 'utf8')
    .replace('// +op-sdk:scaffold:imports', "import { nodeController } from './controllers/node.ts';\n$&")
    .replace('// +op-sdk:scaffold:controllers', 'manager.add(nodeController);\n  $&');
  writeFileSync(join(cwd, 'src/main.ts'), main);
  const { code, stderr } = await runCli(['generate', 'manifests'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('no kind is declared yet');
  expect(stderr).not.toContain('warning');
});
