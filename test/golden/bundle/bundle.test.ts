// Objects of operators and the whole bundles that follow from them, to be read and reviewed. UPDATE_GOLDEN=1 writes them anew.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFindings } from '../../../src/base/errors/index.ts';
import { generateBundle, renderBundle, type BundleInput } from '../../../src/olm/bundle/index.ts';
import { readManifest } from '../../../src/kubernetes/yaml/manifest-object.ts';

const golden = fileURLToPath(new URL('./', import.meta.url));

const cases: Record<string, Omit<BundleInput, 'objects'>> = {
  // The operator of the tutorial: a Role and a ClusterRole, a sample, the answers of the tutorial.
  'nginx-operator': {
    packageName: 'nginx-operator',
    version: '0.0.1',
    channels: ['alpha'],
    builder: 'op-sdk-v0.1.0',
    projectLayout: 'typescript.opsdk.dev/v1',
  },
  // Admission and conversion webhooks, bindings of others, a base with much in it, annotations of the user's own.
  webhooks: {
    packageName: 'cache',
    version: '1.2.0',
    channels: ['stable', 'candidate'],
    defaultChannel: 'stable',
    builder: 'op-sdk-v0.1.0',
    projectLayout: 'typescript.opsdk.dev/v1',
    own: { 'com.redhat.openshift.versions': 'v4.12-v4.15', 'example.com/note': 'costs $5 "net"' },
    createdAt: '2026-01-02T03:04:05Z',
  },
};

const objectsOf = (name: string): BundleInput['objects'] =>
  readManifest(readFileSync(join(golden, name, 'objects.yaml'), 'utf8'), 'objects.yaml');

function filesBelow(folder: string, prefix = ''): string[] {
  if (!existsSync(join(folder, prefix))) return [];
  return readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(folder, `${prefix}${entry.name}/`) : [prefix + entry.name],
  );
}

describe.each(Object.entries(cases))('the bundle of %s', (name, input) => {
  test('is the one that was reviewed', async () => {
    const generated = generateBundle({ ...input, objects: objectsOf(name) });
    const rendered = await renderBundle(generated, 'bundle');
    const files = [...rendered.manifests, ...rendered.metadata];
    const expected = join(golden, name, 'expected');
    if (process.env['UPDATE_GOLDEN'] !== '1')
      // Before anything is compared: a snapshot that is missing is written.
      expect(filesBelow(expected).sort()).toEqual(files.map(({ path }) => path).sort());
    for (const { path, content } of files) await expect(content).toMatchFileSnapshot(join(expected, path));
    await expect(`${formatFindings(generated.warnings, { severity: 'warning' })}\n`).toMatchFileSnapshot(
      join(golden, name, 'warnings.txt'),
    );
  });

  test('does not hang on the order of the objects', () => {
    const objects = objectsOf(name);
    const expected = generateBundle({ ...input, objects });
    fc.assert(
      fc.property(fc.shuffledSubarray([...objects], { minLength: objects.length }), (shuffled) => {
        expect(generateBundle({ ...input, objects: shuffled })).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
