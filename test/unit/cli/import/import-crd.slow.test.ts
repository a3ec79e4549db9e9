import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JSONSchemaProps } from '../../../../src/compiler/schema/index.ts';
import { toYaml } from '../../../../src/kubernetes/yaml/to-yaml.ts';
import { runCli } from '../../../helpers/run-cli.ts';
import { crdOf, specOf } from '../../compiler/import/crd-fixture.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'op-sdk-import-crd-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const size: JSONSchemaProps = { type: 'object', properties: { size: { type: 'integer', format: 'int32' } } };
const crd = crdOf(specOf(size));
const file = 'src/api/example.com/v1/sample0.ts';

const write = (name: string, text: string): void => {
  mkdirSync(join(cwd, name, '..'), { recursive: true });
  writeFileSync(join(cwd, name), text);
};
const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const run = (...argv: string[]) => runCli(['import', 'crd', ...argv], { cwd });

describe('import crd', () => {
  it('writes a file for each version, and nothing the second time', async () => {
    write('crd.yaml', toYaml(crd));
    const first = await run('crd.yaml', '-o', 'json');
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      result: { crds: ['sample0s.example.com'], files: [{ action: 'create', path: file }] },
    });
    expect(read(file)).toContain('size?: Int32;');
    const second = await run('crd.yaml');
    expect(second.stderr).toContain('1 unchanged');
  });

  it('reads folders, ignores objects other than CRDs, and says so', async () => {
    write('all/deep/crd.json', JSON.stringify(crd));
    write('all/kustomization.yaml', 'resources: [deep/crd.json]\n');
    write('all/values.yaml', '# for the CustomResourceDefinition\n{{- if .Values.spec }}\nspec: x\n');
    const { code, stderr } = await run('all');
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('warning[import/skipped-file]');
    expect(stderr).toContain('all/values.yaml');
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it('reads a folder whose files hold more together than one file may', async () => {
    // Each near half of what one file may hold, of documents that are no CRDs, and three of them beyond it.
    const filler = `# ${'x'.repeat(1000)}\n`.repeat(9_000);
    for (const name of ['a', 'b', 'c']) write(`all/${name}.yaml`, `# CustomResourceDefinition\n${filler}`);
    write('all/d.yaml', toYaml(crd));
    const { code, stderr } = await run('all');
    expect(code, stderr).toBe(0);
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it('reads a folder whose documents have more values together than one file may have', async () => {
    const values = {
      apiVersion: 'v1',
      kind: 'Other',
      metadata: { name: 'a' },
      values: Array(200_000).fill(1),
    };
    const other = JSON.stringify(values);
    for (const name of ['a', 'b', 'c'])
      write(`all/${name}.yaml`, `${other}\n---\n# CustomResourceDefinition\n---\n${other}\n`);
    write('all/d.yaml', `${other}\n---\n${toYaml(crd)}`);
    const { code, stderr } = await run('all');
    expect(code, stderr).toBe(0);
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it('says how to go on with a file that is larger than one may be', async () => {
    write('large.yaml', `# ${'x'.repeat(1000)}\n`.repeat(22_000));
    const { code, stderr } = await run('large.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('[io/too-large]');
    expect(stderr).toContain('split the input into smaller files');
  });

  it.each([
    ['a template', 'kind: CustomResourceDefinition\nspec: {{ .Values.spec }}: x\n', 'io/yaml-'],
    [
      'a cut file of JSON',
      '{"items": [{"apiVersion": "x", "kind": "CustomResourceDefinition", "spec": ',
      'io/yaml-',
    ],
    ['a list in braces', 'items: [{kind: CustomResourceDefinition} x]\n', 'io/yaml-syntax'],
    [
      'a CRD without a group',
      'apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {}\n',
      'crd/form',
    ],
  ])('writes the other CRDs of a folder beside %s, and fails', async (_name, text, code) => {
    write('all/good.json', JSON.stringify(crd));
    write('all/chart.yaml', text);
    const { code: exit, stderr } = await run('all');
    expect(exit).toBe(1);
    expect(stderr).toContain(`error[${code}`);
    expect(stderr).toContain('all/chart.yaml');
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it('reads standard input, and writes into --output-dir', async () => {
    const { code } = await runCli(['import', 'crd', '-', '--output-dir', 'types', '--client-only'], {
      cwd,
      stdin: toYaml(crd),
    });
    expect(code).toBe(0);
    expect(read('types/example.com/v1/sample0.ts')).toContain('externalResource<Sample0>');
  });

  it('leaves files alone that are there, unless it is forced to', async () => {
    write('crd.yaml', toYaml(crd));
    write(file, '// mine\n');
    const refused = await run('crd.yaml');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('error[scaffold/file-exists]');
    expect(read(file)).toBe('// mine\n');
    const forced = await run('crd.yaml', '--force');
    expect(forced.code).toBe(0);
    expect(forced.stderr).toContain('-// mine');
    expect(read(file)).toContain('Sample0Spec');
  });

  it('writes nothing with --dry-run', async () => {
    write('crd.yaml', toYaml(crd));
    expect((await run('crd.yaml', '--dry-run')).stderr).toContain('dry run');
    expect(existsSync(join(cwd, 'src'))).toBe(false);
  });

  it('begins files as the project begins them', async () => {
    write('crd.yaml', toYaml(crd));
    write('hack/boilerplate.txt', 'Copyright somebody.\n');
    await run('crd.yaml');
    expect(read(file)).toMatch(/^\/\/ Copyright somebody\.\n\nimport /);
  });

  it('writes the others where one does not come back as it was, and fails', async () => {
    // No server would take this default, so no types can say it.
    const broken = crdOf(specOf({ type: 'object', properties: { a: { type: 'string', default: 1 } } }), 1);
    write('a.yaml', toYaml(crd));
    write('b.yaml', toYaml(broken));
    const { code, stderr } = await run('a.yaml', 'b.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('error[crd/schema]: the schema of v1, .spec.a: the default does not fit');
    expect(existsSync(join(cwd, file))).toBe(true);
    expect(existsSync(join(cwd, 'src/api/example.com/v1/sample1.ts'))).toBe(false);
    const lossy = await run('b.yaml', '--allow-loss');
    expect(lossy.code).toBe(0);
    expect(lossy.stderr).toContain('warning[crd/schema]');
    expect(existsSync(join(cwd, 'src/api/example.com/v1/sample1.ts'))).toBe(true);
  });
});

describe('kinds whose names are close', () => {
  const named = (kind: string, plural: string): string => {
    const { spec } = crd;
    const names = { ...spec.names, kind, plural };
    return toYaml({ ...crd, metadata: { name: `${plural}.example.com` }, spec: { ...spec, names } });
  };

  it('get files of their own', async () => {
    write('a.yaml', named('HTTPRoute', 'httproutes'));
    write('b.yaml', named('HttpRoute', 'otherroutes'));
    const { code, stderr } = await run('a.yaml', 'b.yaml');
    expect(code, stderr).toBe(0);
    expect(read('src/api/example.com/v1/http-route.ts')).toContain("kind: 'HTTPRoute'");
    expect(read('src/api/example.com/v1/http-route-otherroutes.ts')).toContain("kind: 'HttpRoute'");
  });

  it('get files of their own where one has the name of another with its plural, too', async () => {
    const kinds = [
      ['FooFooos', 'foofooos', 'foo-fooos'],
      ['Foo', 'foos', 'foo'],
      ['FOO', 'fooos', 'foo-fooos-2'],
    ] as const;
    for (const [kind, plural] of kinds) write(`crds/${plural}.yaml`, named(kind, plural));
    const sources = kinds.map(([, plural]) => `crds/${plural}.yaml`);
    const { code, stderr } = await run(...sources, '--no-verify');
    expect(code, stderr).toBe(0);
    for (const [kind, , name] of kinds)
      expect(read(`src/api/example.com/v1/${name}.ts`)).toContain(`kind: '${kind}'`);
  });

  it('are refused if they are the same; the first is written', async () => {
    write('a.yaml', named('Route', 'routes'));
    write('b.yaml', named('Route', 'otherroutes'));
    const { code, stderr } = await run('a.yaml', 'b.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('error[import/different-crds]');
    expect(read('src/api/example.com/v1/route.ts')).not.toContain('otherroutes');
  });
});

describe('import crd refuses', () => {
  it.each([
    [[], 'import/source', 2],
    [['a.yaml', '--from-cluster', 'x'], 'import/source', 2],
    [['missing.yaml'], 'io/not-found', 1],
    [['http://example.com/crd.yaml'], 'import/download', 1],
    [['.'], 'import/no-crd', 1],
    [['broken.yaml'], 'io/yaml-syntax', 1],
    [['crd.yaml', '--output-dir', 'crd.yaml'], 'cli/invalid-value', 2],
    [['crd.yaml', 'other.yaml'], 'import/different-crds', 1],
  ] as const)('%j', async (argv, code, exit) => {
    if (argv[0] !== '.') {
      write('broken.yaml', 'kind: [\n');
      write('crd.yaml', toYaml(crd));
      write('other.yaml', toYaml(crdOf(specOf({ type: 'string' }))));
    }
    const outcome = await run(...argv);
    expect(outcome.stderr).toContain(`error[${code}]`);
    expect(outcome.code).toBe(exit);
    expect(existsSync(join(cwd, 'src'))).toBe(false);
  });
});

describe('kinds of one group', () => {
  const tls: JSONSchemaProps = { type: 'object', properties: { ca: { type: 'string' } } };
  const withTls = (number: number): string =>
    toYaml(crdOf(specOf({ type: 'object', properties: { tls, number: { type: 'boolean' } } }), number));
  const sharedFile = 'src/api/example.com/shared.ts';
  const kindFile = (number: number): string => `src/api/example.com/v1/sample${number}.ts`;

  /** Not verified: what generates the definitions again takes its time, and has tests of its own. */
  const quickly = (...sources: string[]) => run(...sources, '--no-verify');

  beforeEach(async () => {
    write('a.yaml', withTls(0));
    write('b.yaml', withTls(1));
    const { code, stderr } = await quickly('a.yaml', 'b.yaml');
    expect(code, stderr).toBe(0);
  });

  it('share a file of types, and a second run changes nothing', async () => {
    expect(read(sharedFile)).toContain('export interface Tls {');
    expect(read(kindFile(1))).toContain("from '../shared.ts'");
    expect((await quickly('b.yaml', 'a.yaml')).stderr).toContain('3 unchanged');
  });

  it('keep what people write into the shared file', async () => {
    const edited = read(sharedFile).replace('ca?: string', 'ca?: string | null');
    write(sharedFile, edited);
    const before = read(kindFile(0));
    const refused = await quickly('a.yaml', 'b.yaml');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('error[scaffold/file-exists]');
    expect(read(kindFile(0))).toBe(before);
    expect((await quickly('a.yaml', 'b.yaml', '--force')).code).toBe(0);
    expect(read(sharedFile)).toBe(edited);
    expect(read(kindFile(0))).toContain('export interface Tls {');
  });

  it('keep an edited file of shared types with a number, though the first is missing', async () => {
    const edited = read(sharedFile).replace('ca?: string', 'ca?: string | null');
    rmSync(join(cwd, sharedFile));
    write('src/api/example.com/shared-2.ts', edited);
    expect((await quickly('a.yaml', 'b.yaml', '--force')).code).toBe(0);
    expect(read('src/api/example.com/shared-2.ts')).toBe(edited);
    expect(existsSync(join(cwd, sharedFile))).toBe(false);
    expect(read(kindFile(0))).toContain('export interface Tls {');
  });

  it('share the next file where somebody else has written one of this name', async () => {
    write(sharedFile, '/** Mine. */\nexport const answer = 42;\n');
    expect((await quickly('a.yaml', 'b.yaml', '--force')).code).toBe(0);
    expect(read(sharedFile)).toContain('answer = 42');
    expect(read('src/api/example.com/shared-2.ts')).toContain('export interface Tls {');
    expect(read(kindFile(1))).toContain("from '../shared-2.ts'");
    expect((await quickly('b.yaml', 'a.yaml')).stderr).toContain('3 unchanged');
  });

  it('import from the shared file when they come later', async () => {
    const before = read(sharedFile);
    write('c.yaml', withTls(2));
    const { code, stderr } = await run('c.yaml');
    expect(code, stderr).toBe(0);
    expect(read(sharedFile)).toBe(before);
    expect(read(kindFile(2))).toMatch(/Tls.*from '\.\.\/shared\.ts'/);
  });
});
