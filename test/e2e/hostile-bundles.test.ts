// Bundles and inputs that are meant to harm: refused with a code and a message, with little memory, by the process that people run.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { smallBundle, writeBundle } from '../unit/bundle/validate/bundle-folder.ts';

const opSdk = fileURLToPath(new URL('../../bin/op-sdk.js', import.meta.url));
const recorder = fileURLToPath(new URL('../helpers/record-peak.mjs', import.meta.url));
/** In KiB. */
const mostMemory = 300 * 1024;
const canMeasure = existsSync('/proc/self/status');
/** For a test; a run takes a second or two. */
const timeout = 60_000;

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs op-sdk and checks how much memory it took, and that its output holds nothing that a terminal would obey. */
function run(cwd: string, argv: readonly string[], input: string | Uint8Array = ''): Run {
  const peakFile = join(cwd, 'peak');
  const { status, stdout, stderr } = spawnSync(process.execPath, [opSdk, ...argv], {
    ...{ cwd, input, timeout: 50_000, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
    env: {
      ...process.env,
      ...(canMeasure
        ? { NODE_OPTIONS: `--import=${pathToFileURL(recorder).href}`, PEAK_FILE: peakFile }
        : {}),
    },
  });
  const output = `${stdout.toString()}${stderr.toString()}`;
  if (canMeasure) expect(Number(readFileSync(peakFile, 'utf8'))).toBeLessThan(mostMemory);
  expect(output).not.toMatch(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/u);
  return { code: status, output };
}

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => item(index)).join('');
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
const crd = (names: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b.co}\nspec: {group: b.co, scope: Cluster, names: {plural: a, kind: A${names}}, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}\n`;
const aliases = `a0: &a0 [x]\n${many(12, (i) => `a${i + 1}: &a${i + 1} [${many(10, () => `*a${i},`)}]\n`)}`;
const longTexts = `s: &s ${'x'.repeat(1024 * 1024)}\nl: [${'*s,'.repeat(2000)}]\n`;

/** What one file may hold: what `bundle validate` says of it as a manifest, and `generate bundle` as its input. */
const texts: readonly (readonly [
  what: string,
  text: () => string | Uint8Array,
  validate: string,
  generate: string,
])[] = [
  ['aliases that multiply', () => head + aliases, 'io/too-large', 'io/too-large'],
  ['aliases of long texts', () => head + longTexts, 'io/too-large', 'io/too-large'],
  ['lists in lists', () => `${head}a: ${'['.repeat(50_000)}`, 'io/too-large', 'io/too-large'],
  ['100 MB', () => `${head}# ${'x'.repeat(100_000_000)}\n`, 'bundle/not-a-manifest', 'io/too-large'],
  [
    '19 MB of text',
    () => `${head}data:\n  a: ${'x'.repeat(19_000_000)}\n`,
    'io/too-large',
    'bundle/too-large',
  ],
  [
    '100,000 documents',
    () => many(100_000, () => `---\n${head}`),
    'bundle/several-documents',
    'io/too-large',
  ],
  ['100,000 broken documents', () => many(100_000, () => '---\na: [\n'), 'io/yaml-syntax', 'io/yaml-syntax'],
  [
    'a label that is invalid, 240,000 times',
    () => `${head}  labels:\n${many(240_000, (i) => `    k${i}: a b\n`)}`,
    'io/too-large',
    'bundle/too-large',
  ],
  [
    '2 million categories',
    () => crd(`, categories: [${'a,'.repeat(2_000_000)}]`),
    'io/too-large',
    'io/too-large',
  ],
  ['NUL', () => head.replace('a\n', 'a\0b\n'), 'bundle/not-a-manifest', 'io/yaml-syntax'],
  ['not UTF-8', () => Buffer.from(`${head}x: \u00e4\n`, 'latin1'), 'bundle/not-a-manifest', 'io/cannot-read'],
  [
    'a name that turns text around',
    () => head.replace('name: a', 'name: "a\\u202Eb\\e[31m"'),
    'bundle/invalid-metadata',
    'bundle/invalid-object',
  ],
  [
    'a version that leads elsewhere',
    () => 'apiVersion: scheduling.k8s.io/../../../../x\nkind: PriorityClass\nmetadata: {name: a}\n',
    'bundle/invalid-metadata',
    'bundle/invalid-object',
  ],
];

/** A folder with a bundle. */
function bundleFolder(): string {
  const bundle = smallBundle();
  return writeBundle(bundle);
}

/** A folder with what `generate bundle` needs beside the objects. */
function baseFolder(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'op-sdk-hostile-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const { csv } = smallBundle();
  mkdirSync(join(cwd, 'config/manifests/bases'), { recursive: true });
  writeFileSync(
    join(cwd, 'config/manifests/bases/web-operator.clusterserviceversion.yaml'),
    JSON.stringify(csv),
  );
  return cwd;
}

const generate = ['generate', 'bundle', '--package', 'web-operator', '--version', '0.0.1'];

describe('a file', () => {
  test.each(texts)(
    'of %s',
    (_what, text, validated, generated) => {
      const content = text();
      const cwd = bundleFolder();
      writeFileSync(join(cwd, 'bundle/manifests/a.yaml'), content);
      const judged = run(cwd, ['bundle', 'validate', 'bundle', '--strict']);
      expect(judged.code).toBe(1);
      expect(judged.output).toContain(`[${validated}]`);
      const refused = run(baseFolder(), [...generate, '-f', '-'], content);
      expect(refused.code, refused.output.slice(0, 2000)).toBe(1);
      expect(refused.output).toContain(`error[${generated}]`);
    },
    timeout,
  );
});

/** What lies in `manifests/` of a bundle, and in a folder of input. */
const entries: readonly (readonly [
  what: string,
  create: (folder: string) => void,
  validate: string,
  build: string,
  generate: string,
])[] = [
  [
    'a link to a file of the system',
    (folder) => symlinkSync('/etc/passwd', join(folder, 'a.yaml')),
    'bundle/unexpected-file',
    'oci/unfit-file',
    'io/not-an-object',
  ],
  [
    'a link to a device',
    (folder) => symlinkSync('/dev/zero', join(folder, 'a.yaml')),
    'bundle/unexpected-file',
    'oci/unfit-file',
    'io/cannot-read',
  ],
  [
    'a link to itself',
    (folder) => symlinkSync('a.yaml', join(folder, 'a.yaml')),
    'bundle/unexpected-file',
    'oci/unfit-file',
    'io/cannot-read',
  ],
  [
    'a pipe',
    (folder) => void execFileSync('mkfifo', [join(folder, 'a.yaml')]),
    'bundle/unexpected-file',
    'oci/unfit-file',
    'io/cannot-read',
  ],
  [
    'a file of four gigabytes',
    (folder) => {
      writeFileSync(join(folder, 'a.yaml'), '');
      truncateSync(join(folder, 'a.yaml'), 4 * 1024 ** 3);
    },
    'bundle/not-a-manifest',
    'oci/unfit-file',
    'io/too-large',
  ],
  [
    '6,000 files',
    (folder) => {
      for (let index = 0; index < 6000; index++) writeFileSync(join(folder, `f${index}.yaml`), head);
    },
    'bundle/unexpected-file',
    'oci/unfit-file',
    'io/too-large',
  ],
];

describe('a folder', () => {
  test.each(entries)(
    'with %s',
    (_what, create, validated, built, generated) => {
      const cwd = bundleFolder();
      create(join(cwd, 'bundle/manifests'));
      const judged = run(cwd, ['bundle', 'validate', 'bundle']);
      expect([judged.code, judged.output]).toEqual([1, expect.stringContaining(`error[${validated}]`)]);
      const image = run(cwd, ['bundle', 'build', 'bundle', '-t', 'example.com/web-bundle:v1']);
      expect([image.code, image.output]).toEqual([1, expect.stringContaining(`error[${built}]`)]);
      const folder = baseFolder();
      mkdirSync(join(folder, 'in'));
      create(join(folder, 'in'));
      const refused = run(folder, [...generate, '--input-dir', 'in']);
      expect([refused.code, refused.output]).toEqual([1, expect.stringContaining(`error[${generated}]`)]);
      expect(existsSync(join(folder, 'bundle'))).toBe(false);
    },
    timeout,
  );

  test('with tests that a link of the bundle leads away from it', () => {
    const cwd = bundleFolder();
    mkdirSync(join(cwd, 'elsewhere'));
    writeFileSync(join(cwd, 'elsewhere/config.yaml'), 'secret: 1\n');
    mkdirSync(join(cwd, 'bundle/tests'));
    symlinkSync('../../elsewhere', join(cwd, 'bundle/tests/scorecard'));
    const { code, output } = run(cwd, ['scorecard', '--local', 'bundle']);
    expect([code, output]).toEqual([1, expect.stringContaining('error[bundle/scorecard-config]')]);
    expect(output).not.toContain('secret');
  });

  test('with folders that are outside of it by a link above them', () => {
    const cwd = bundleFolder();
    mkdirSync(join(cwd, 'elsewhere/deep'), { recursive: true });
    copyFileSync(join(cwd, 'bundle/manifests/csv.yaml'), join(cwd, 'elsewhere/deep/csv.yaml'));
    symlinkSync('../elsewhere', join(cwd, 'bundle/link'));
    const file = join(cwd, 'bundle/metadata/annotations.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('manifests/', 'link/deep/'));
    const { code, output } = run(cwd, ['bundle', 'build', 'bundle', '-t', 'example.com/web-bundle:v1']);
    expect([code, output]).toEqual([1, expect.stringContaining('error[oci/unfit-file]')]);
  });
});

test('bundle publish copies nothing of a bundle that is meant to harm', () => {
  const cwd = bundleFolder();
  symlinkSync('/etc/passwd', join(cwd, 'bundle/manifests/a.yaml'));
  writeFileSync(join(cwd, 'bundle/manifests/b.yaml'), head + aliases);
  mkdirSync(join(cwd, 'hub'));
  const { code, output } = run(cwd, ['bundle', 'publish', 'bundle', '--output-dir', 'hub']);
  expect(code).toBe(1);
  expect(output).toContain('error[bundle/unexpected-file]');
  expect(output).toContain('error[io/too-large]');
  expect(existsSync(join(cwd, 'hub/operators'))).toBe(false);
});

test.each([
  ['a pipe', (cwd: string) => void execFileSync('mkfifo', [join(cwd, 'icon.png')]), 'not a regular file'],
  ['a device', (cwd: string) => symlinkSync('/dev/zero', join(cwd, 'icon.png')), 'not a regular file'],
  ['no image', (cwd: string) => writeFileSync(join(cwd, 'icon.png'), 'text'), 'not a GIF, JPEG, PNG or SVG'],
  [
    'a large file',
    (cwd: string) => {
      writeFileSync(join(cwd, 'icon.png'), '');
      truncateSync(join(cwd, 'icon.png'), 1024 ** 3);
    },
    'larger than 256 KiB',
  ],
])('an icon that is %s', (_what, create, message) => {
  const cwd = baseFolder();
  create(cwd);
  const flags = ['--package', 'web-operator', '--icon', 'icon.png'];
  const { code, output } = run(cwd, ['generate', 'kustomize', 'manifests', ...flags]);
  expect(output).toContain(`--icon is "icon.png": it is ${message}`);
  expect(code).not.toBe(0);
});
