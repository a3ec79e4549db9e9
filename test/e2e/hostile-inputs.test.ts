// Files that were made to do harm, as manifests of a bundle and as input of the commands that make one: each is refused with a code, within
// 300 MB of memory, and nothing is written.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measuredRun } from '../helpers/measured-run.ts';

const objects = readFileSync(
  join(import.meta.dirname, '../golden/bundle/nginx-operator/objects.yaml'),
  'utf8',
);
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-'));
const good = join(scratch, 'good');
const generate = ['generate', 'bundle', '--version', '0.1.0', '--package', 'nginx-operator'];

beforeAll(async () => {
  mkdirSync(good);
  writeFileSync(join(good, 'objects.yaml'), objects);
  const { code, stderr } = await measuredRun(good, [...generate, '-f', 'objects.yaml']);
  expect(code, stderr).toBe(0);
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => item(index)).join('');
const map = (name: string, rest = ''): string =>
  `---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${rest}`;
const crd = (categories: string): string =>
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a.b.co}
spec: {group: b.co, scope: Cluster, names: {plural: a, kind: A, categories: [${categories}]}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
`;
const aliases = many(12, (i) => `a${i + 1}: &a${i + 1} [${many(10, () => `*a${i},`)}]\n`);
const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);
const ofSize = (path: string, bytes: number): void => {
  writeFileSync(path, '');
  truncateSync(path, bytes);
};

/** What `bundle validate` says of a text as a manifest, and `generate bundle` of it as its input. */
const texts: readonly (readonly [
  what: string,
  content: () => string | Uint8Array,
  validated: string,
  generated: string,
])[] = [
  ['aliases that multiply', () => `${map('a')}a0: &a0 [x]\n${aliases}`, 'io/too-large', 'io/too-large'],
  [
    'aliases of long texts',
    () => `${map('a')}s: &s ${'x'.repeat(1024 * 1024)}\nl: [${'*s,'.repeat(2000)}]\n`,
    'io/too-large',
    'io/too-large',
  ],
  ['lists in lists', () => `${map('a')}a: ${'['.repeat(100_000)}`, 'io/too-large', 'io/too-large'],
  ['100 MB', () => `${map('a')}# ${'x'.repeat(100_000_000)}\n`, 'bundle/not-a-manifest', 'io/too-large'],
  [
    '19 MB in one text',
    () => map('a', `data:\n  a: ${'x'.repeat(19_000_000)}\n`),
    'io/too-large',
    'bundle/too-large',
  ],
  ['100,000 documents', () => many(100_000, (i) => map(`a${i}`)), 'bundle/not-a-manifest', 'io/too-large'],
  ['100,000 broken documents', () => many(100_000, () => '---\na: [\n'), 'io/yaml-syntax', 'io/yaml-syntax'],
  [
    '240,000 invalid labels',
    () => map('a', `  labels:\n${many(240_000, (i) => `    k${i}: a b\n`)}`),
    'io/too-large',
    'bundle/too-large',
  ],
  ['2 million categories', () => crd('a,'.repeat(2_000_000)), 'io/too-large', 'io/too-large'],
  ['NUL', () => map('a\0b'), 'bundle/not-a-manifest', 'io/yaml-syntax'],
  [
    'what is not UTF-8',
    () => Buffer.from(map('a', 'x: \u00e4\n'), 'latin1'),
    'bundle/not-a-manifest',
    'io/cannot-read',
  ],
  [
    'a version that is a path',
    () => 'apiVersion: scheduling.k8s.io/../../x\nkind: PriorityClass\nmetadata: {name: a}\n',
    'bundle/invalid-metadata',
    'bundle/invalid-object',
  ],
  [
    'a name that turns text around',
    () => map('"a\\0\\e[31m\\u202E"'),
    'bundle/invalid-metadata',
    'bundle/invalid-object',
  ],
];

describe('a file with', () => {
  test.each(texts)('%s', async (_what, text, validated, generated) => {
    const content = text();
    const folder = mkdtempSync(join(scratch, 'text-'));
    cpSync(good, folder, { recursive: true });
    writeFileSync(join(folder, 'bundle/manifests/z.yaml'), content);
    const judged = await measuredRun(folder, ['bundle', 'validate', 'bundle', '--strict']);
    expect([judged.code, judged.stdout], judged.stderr.slice(0, 5000)).toEqual([1, '']);
    expect(judged.stderr).toContain(`error[${validated}]`);
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const refused = await measuredRun(folder, [...generate, '-f', '-'], content);
    expect([refused.code, refused.stdout], refused.stderr.slice(0, 5000)).toEqual([1, '']);
    expect(refused.stderr).toContain(`error[${generated}]`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

const inputs: readonly (readonly [what: string, code: string, write: (folder: string) => void])[] = [
  [
    'more objects than a bundle holds',
    'bundle/too-large',
    (input) =>
      appendFileSync(
        join(input, 'objects.yaml'),
        many(2100, (i) => map(`a${i}`)),
      ),
  ],
  [
    'an object larger than the API server takes',
    'bundle/too-large',
    (input) =>
      writeFileSync(join(input, 'a.yaml'), map('a', `data:\n${many(200_000, (i) => `  key-${i}: value\n`)}`)),
  ],
  [
    'a link to an endless device',
    'io/cannot-read',
    (input) => symlinkSync('/dev/zero', join(input, 'a.yaml')),
  ],
  ['a pipe', 'io/cannot-read', (input) => pipe(join(input, 'a.yaml'))],
  [
    '6,000 files',
    'io/too-large',
    (input) => {
      for (let index = 0; index < 6000; index++) writeFileSync(join(input, `f${index}.yaml`), map('a'));
    },
  ],
  [
    'a name that is a path',
    'bundle/invalid-object',
    (input) => writeFileSync(join(input, 'a.yaml'), map('../../../etc/a')),
  ],
];

describe('generate bundle --input-dir of', () => {
  test.each(inputs)('%s', async (_what, code, write) => {
    const folder = mkdtempSync(join(scratch, 'input-'));
    mkdirSync(join(folder, 'in'));
    writeFileSync(join(folder, 'in/objects.yaml'), objects);
    write(join(folder, 'in'));
    const made = await measuredRun(folder, [...generate, '--input-dir', 'in']);
    expect([made.code, made.stdout], made.stderr).toEqual([1, '']);
    expect(made.stderr).toContain(`error[${code}]`);
    expect(readdirSync(folder)).toEqual(['in']);
  });
});

/** What `generate kustomize manifests --icon` says of a file. */
const icons: readonly (readonly [what: string, write: (path: string) => void, fault: string])[] = [
  ['a pipe', pipe, 'not a regular file'],
  ['a device', (path) => symlinkSync('/dev/zero', path), 'not a regular file'],
  ['no image', (path) => writeFileSync(path, 'text'), 'not a GIF, JPEG, PNG or SVG'],
  ['a gigabyte', (path) => ofSize(path, 1024 ** 3), 'larger than 256 KiB'],
];

test.each(icons)('an icon that is %s', async (_what, write, fault) => {
  const folder = mkdtempSync(join(scratch, 'icon-'));
  write(join(folder, 'icon.png'));
  const flags = ['--package', 'nginx-operator', '--icon', 'icon.png'];
  const { code, stdout, stderr } = await measuredRun(folder, [
    'generate',
    'kustomize',
    'manifests',
    ...flags,
  ]);
  expect([code, stdout], stderr).toEqual([2, '']);
  expect(stderr).toContain(`--icon is "icon.png": it is ${fault}`);
  expect(readdirSync(folder)).toEqual(['icon.png']);
});
