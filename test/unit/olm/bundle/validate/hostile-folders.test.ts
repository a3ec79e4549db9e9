import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { validateBundle } from '../../../../../src/olm/bundle/index.ts';
import { offlineValidators } from '../../../../../src/olm/bundle/validate/rules/validators.ts';
import { runCli } from '../../../../helpers/run-cli.ts';
import { codes } from '../objects.ts';
import { judge, smallBundle, writeBundle } from './bundle-folder.ts';
import { judged } from './judged.ts';

describe('folders that are links', () => {
  test.each(['manifests', 'metadata'])('%s of somebody else is not read', async (part) => {
    const cwd = writeBundle(smallBundle());
    const bundle = join(cwd, 'bundle');
    renameSync(join(bundle, part), join(cwd, 'elsewhere'));
    symlinkSync('../elsewhere', join(bundle, part));
    const { errors, bundle: loaded } = judged(await validateBundle('bundle', { cwd }));
    expect(loaded).toBeUndefined();
    expect(errors.map(({ code, where }) => [code, where])).toEqual([
      ['bundle/unexpected-file', { file: `bundle/${part}` }],
    ]);
  });

  test('a link to a folder of the bundle, and a bundle that is named by a link', async () => {
    const cwd = writeBundle(smallBundle());
    renameSync(join(cwd, 'bundle/manifests'), join(cwd, 'bundle/objects'));
    symlinkSync('objects', join(cwd, 'bundle/manifests'));
    symlinkSync('bundle', join(cwd, 'link'));
    const { errors } = judged(await validateBundle('link', { cwd }));
    expect(errors).toEqual([]);
  });

  test('a link to itself', async () => {
    const cwd = writeBundle(smallBundle());
    renameSync(join(cwd, 'bundle/manifests'), join(cwd, 'elsewhere'));
    symlinkSync('manifests', join(cwd, 'bundle/manifests'));
    const { errors } = judged(await validateBundle('bundle', { cwd }));
    expect(codes(errors)).toEqual(['bundle/missing-folder']);
  });
});

test('large files are read until all of them together are too large', async () => {
  const large = `# ${'x'.repeat(8 * 1024 * 1024)}\na: 1\n`;
  const { errors } = await judge((bundle) => {
    for (const name of ['v', 'w', 'x', 'y', 'z']) bundle.files[`manifests/${name}.yaml`] = large;
  });
  const refused = errors.filter(({ code }) => code === 'io/too-large').map(({ where }) => where);
  expect(refused).toEqual(['x', 'y', 'z'].map((name) => ({ file: `bundle/manifests/${name}.yaml` })));
});

test('files of metadata/ that are too large together are refused, though OLM passes over what it cannot read', async () => {
  const large = `# ${'x'.repeat(8 * 1024 * 1024)}\na: 1\n`;
  const { errors } = await judge((bundle) => {
    for (const name of ['x', 'y', 'z']) bundle.files[`metadata/${name}.yaml`] = large;
  });
  const refused = errors.filter(({ code }) => code === 'io/too-large').map(({ where }) => where);
  expect(refused).toEqual([{ file: 'bundle/metadata/z.yaml' }]);
});

test('names and texts reach the terminal without what it would obey', async () => {
  const cwd = writeBundle(smallBundle());
  const manifests = join(cwd, 'bundle/manifests');
  writeFileSync(join(manifests, 'a\u001b[31m\u202eb.yaml'), 'a: [');
  writeFileSync(join(manifests, 'b\nerror: c.yaml'), 'a: [');
  writeFileSync(join(manifests, 'c.yaml'), 'apiVersion: v1\nkind: "Sec\\u202Eret\\e]0;x\\a"\n');
  mkdirSync(join(manifests, 'd\u009b2J'));
  const { code, stdout, stderr } = await runCli(['bundle', 'validate', 'bundle'], { cwd });
  expect(code).toBe(1);
  expect(stdout + stderr).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u);
  expect(stderr).toContain('at bundle/manifests/a\\x1b[31m\\u202eb.yaml:1');
  expect(stderr).toContain('at bundle/manifests/b\\nerror: c.yaml:1');
});

/** Pieces of YAML and JSON, and of what OLM reads, between any text. */
const pieces = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  fc.constantFrom(
    '---\n',
    'a: ',
    '- ',
    '[',
    '{',
    '}',
    ']',
    '\n',
    '&a ',
    '*a',
    '<<: ',
    '!!binary ',
    '|\n ',
    '\t',
  ),
  fc.constantFrom(
    'annotations:\n  ',
    'apiVersion: v1\n',
    'kind: ClusterServiceVersion\n',
    'metadata:\n  name: a\n',
  ),
  fc.constantFrom(
    'spec:\n  ',
    'install: ',
    'icon: ',
    'dependencies: ',
    'properties: ',
    '__proto__: ',
    'null',
  ),
);
const texts = fc.array(pieces, { maxLength: 20 }).map((parts) => Buffer.from(parts.join('')));
const contents = fc.oneof(
  texts,
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
);
const files = [
  'manifests/csv.yaml',
  'manifests/a.yaml',
  'metadata/annotations.yaml',
  'metadata/properties.yaml',
];

test('whatever a file holds, the bundle is judged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), contents, async (file, content) => {
      const { results } = await judge((bundle) => (bundle.files[file] = content), {
        optional: offlineValidators,
      });
      expect(
        results.filter(({ rule, message }) => !/^[a-z]+\/[a-z0-9-]+$/.test(rule) || message === ''),
      ).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
