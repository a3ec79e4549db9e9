import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { validateBundle } from '../../../../../src/olm/bundle/index.ts';
import { isOpSdkError, type Finding } from '../../../../../src/base/errors/index.ts';
import { codes, type Loose } from '../objects.ts';
import { judge, smallBundle, writeBundle } from './bundle-folder.ts';
import { judged } from './judged.ts';

/** The findings for a folder that was changed after it had been written. */
async function judgeFolder(change: (bundle: string) => void): Promise<readonly Finding[]> {
  const cwd = writeBundle(smallBundle());
  change(join(cwd, 'bundle'));
  return judged(await validateBundle('bundle', { cwd })).errors;
}

const many = (count: number, item: (index: number) => string): string =>
  Array.from({ length: count }, (_unused, index) => item(index)).join('');

describe('hostile input', () => {
  test.each<readonly [string, string, (bundle: Loose) => void]>([
    [
      'aliases that multiply',
      'io/too-large',
      (b) =>
        (b.files['manifests/a.yaml'] =
          `a0: &a0 [x]\n${many(12, (i) => `a${i + 1}: &a${i + 1} [${many(10, () => `*a${i},`)}]\n`)}`),
    ],
    [
      'values without end',
      'io/too-large',
      (b) => (b.files['manifests/a.yaml'] = `a: [${'1,'.repeat(600_000)}]`),
    ],
    ['lists in lists', 'io/too-large', (b) => (b.files['manifests/a.yaml'] = `a: ${'['.repeat(50_000)}`)],
    [
      'mappings in mappings',
      'io/too-large',
      (b) => (b.files['manifests/a.yaml'] = many(500, (i) => `${' '.repeat(i)}a:\n`)),
    ],
    [
      'closed lists in lists',
      'io/too-large',
      (b) => (b.files['manifests/a.yaml'] = `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    ],
    [
      'a binary file',
      'bundle/not-a-manifest',
      (b) => (b.files['manifests/a.yaml'] = new Uint8Array([0x7f, 0x45, 0, 0xff])),
    ],
    [
      'Latin 1',
      'bundle/not-a-manifest',
      (b) => (b.files['manifests/a.yaml'] = new Uint8Array([0x61, 0x3a, 0x20, 0xe4])),
    ],
    ['broken YAML', 'io/yaml-syntax', (b) => (b.files['manifests/a.yaml'] = 'a: [')],
    [
      'broken YAML as metadata',
      'bundle/no-annotations',
      (b) => {
        b.annotations = undefined;
        b.files['metadata/annotations.yaml'] = 'a: [';
      },
    ],
    ['a list', 'io/not-an-object', (b) => (b.files['manifests/a.yaml'] = '- 1\n')],
    ['a text', 'io/not-an-object', (b) => (b.files['manifests/a.yaml'] = 'hello\n')],
    [
      'names of the language',
      'bundle/missing-annotation',
      (b) => (b.annotations = { constructor: 'a', toString: 'b' }),
    ],
  ])('%s', async (_name, code, change) => {
    const { errors } = await judge(change);
    expect([...new Set(codes(errors))]).toEqual([code]);
  });

  test('a hundred findings of a file are listed, the others counted', async () => {
    const { errors } = await judge((bundle) => {
      const labels = Object.fromEntries(
        Array.from({ length: 5000 }, (_unused, index) => [`k${index}`, 'a b']),
      );
      bundle.files['manifests/a.yaml'] = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'a', labels },
      };
    });
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)?.message).toContain('4900 more findings');
  });

  test('long names are clipped in messages', async () => {
    const { errors } = await judge((bundle) => (bundle.csv.metadata.name = 'A'.repeat(500_000)));
    expect(codes(errors)).toEqual(['bundle/invalid-csv-name']);
    expect(errors[0]?.message.length).toBeLessThan(2000);
  });

  test('a CSV and a CRD of nothing but wrong types', async () => {
    for (const value of [null, 1, 'a', [], {}, [[]], true]) {
      const { errors } = await judge((bundle) => {
        for (const name of Object.keys(bundle.csv.spec)) bundle.csv.spec[name] = value;
        for (const name of Object.keys(bundle.crd.spec)) bundle.crd.spec[name] = value;
        bundle.csv.metadata.annotations = value;
      });
      expect(errors.length).toBeGreaterThan(3);
    }
  });

  test('symbolic links', async () => {
    const found = await judgeFolder((bundle) => {
      symlinkSync('/etc/passwd', join(bundle, 'manifests/a.yaml'));
      symlinkSync('nowhere', join(bundle, 'metadata/b.yaml'));
    });
    expect(found.map(({ code, where }) => [code, where])).toEqual([
      ['bundle/unexpected-file', { file: 'bundle/manifests/a.yaml' }],
      ['bundle/unexpected-file', { file: 'bundle/metadata/b.yaml' }],
    ]);
    expect(found[0]?.message).toContain('symbolic link');
  });

  test('a pipe, which is not waited for', async () => {
    const found = await judgeFolder((bundle) => execFileSync('mkfifo', [join(bundle, 'manifests/a.yaml')]));
    expect(codes(found)).toEqual(['bundle/unexpected-file']);
  });

  test('a file of four gigabytes is not read', async () => {
    const found = await judgeFolder((bundle) => {
      const file = join(bundle, 'manifests/a.yaml');
      writeFileSync(file, '');
      truncateSync(file, 4 * 1024 ** 3);
    });
    expect(codes(found)).toEqual(['bundle/not-a-manifest', 'bundle/too-large']);
  });

  test.skipIf(process.getuid?.() === 0)(
    'a file that cannot be read (root can read all of them)',
    async () => {
      const found = await judgeFolder((bundle) => chmodSync(join(bundle, 'manifests/crd.yaml'), 0));
      expect([...new Set(codes(found))]).toEqual(['io/cannot-read']);
    },
  );

  test('empty folders, files in their places, nothing at all', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'op-sdk-empty-'));
    try {
      const missing = judged(await validateBundle(folder));
      expect(codes(missing.errors)).toEqual(['bundle/missing-folder', 'bundle/missing-folder']);
      mkdirSync(join(folder, 'manifests'));
      writeFileSync(join(folder, 'metadata'), '');
      expect(codes(judged(await validateBundle(folder)).errors)).toEqual(['bundle/missing-folder']);
      rmSync(join(folder, 'metadata'));
      mkdirSync(join(folder, 'metadata'));
      expect(codes(judged(await validateBundle(folder)).errors)).toEqual([
        'bundle/no-annotations',
        'bundle/no-csv',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test.each(['nowhere', 'quay.io/example/web-bundle:v1', 'package.json'])(
    '%s is not a folder',
    async (dir) => {
      const refusal: unknown = await validateBundle(dir).catch((error: unknown) => error);
      expect(isOpSdkError(refusal) && refusal.code).toBe('bundle/not-a-folder');
    },
  );

  test('the project instead of its bundle: the message names the bundle', async () => {
    const cwd = writeBundle(smallBundle());
    const { errors } = judged(await validateBundle('.', { cwd }));
    expect(codes(errors)).toEqual(['bundle/missing-folder', 'bundle/missing-folder']);
    expect(errors[0]?.fix?.[0]).toContain('bundle');
  });
});

describe('the size of a bundle', () => {
  /** Text that does not compress. */
  const noise = (bytes: number): string => {
    let seed = 1;
    return many(bytes, () => {
      seed = (seed * 48271) % 2147483647;
      return String.fromCharCode(33 + (seed % 90));
    });
  };
  const configMap = (text: string): Loose => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'noise' },
    data: { text },
  });
  const withNoise = (bytes: number): ((bundle: Loose) => void) => {
    return (bundle) => (bundle.files['manifests/noise.yaml'] = configMap(noise(bytes)));
  };

  test('more than OLM takes', async () => {
    expect(codes((await judge(withNoise(1_000_000))).errors)).toEqual(['bundle/too-large']);
  });

  test('nearly as much as OLM takes', async () => {
    const { errors, warnings } = await judge(withNoise(850_000));
    expect([errors, codes(warnings)]).toEqual([[], ['bundle/nearly-too-large']]);
  });

  test('less', async () => {
    const { errors, warnings } = await judge(withNoise(700_000));
    expect([errors, warnings]).toEqual([[], []]);
  });
});
