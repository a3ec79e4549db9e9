// What users do to the kustomizations that op-sdk scaffolds: they take comment signs off, and add patches of their own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { renderOurs } from '../../../peers/kustomize/render-ours.ts';
import { ownPatch, scaffolds } from '../../../peers/kustomize/scaffolds.ts';

const templates = fileURLToPath(new URL('../../../../templates/', import.meta.url));
const kustomizations = readdirSync(templates, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('kustomization.yaml.hbs'),
);

test.each(kustomizations)(
  '%s comments out items of lists, but no key that could then be there twice',
  (path) => {
    expect(readFileSync(join(templates, path), 'utf8')).not.toMatch(/^#\w+:/m);
  },
);

describe("[METRICS] beside a patch of the user's own", () => {
  const name = "basic config/default, with METRICS, with a patch of the user's own";
  const tree = scaffolds().find((scaffold) => scaffold.name === name);

  test('both patches hold', async () => {
    const rendered = await renderOurs(tree ?? { files: {} });
    const objects = 'objects' in rendered ? rendered.objects : [];
    expect(objects).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({ annotations: { 'example.com/owner': 'us' } }),
      }),
    );
    expect(JSON.stringify(objects)).toContain('--metrics-bind-address=:8443');
  });

  test('the list of patches is there once', () => {
    const text = tree?.files['config/default/kustomization.yaml'] ?? '';
    expect(text).toContain(ownPatch.patch);
    expect(text.match(/^#?patches:/gm)).toHaveLength(1);
  });
});
