// The examples of docs/crd.md, run: what the page shows must generate.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { explanations } from '../../../src/cli/explanations/explanations.ts';
import { runCli } from '../../helpers/run-cli.ts';

const page = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

const blocks = (text: string): string[] =>
  [...text.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');

test('the kind and the controller of the page generate a CRD and a role', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'op-sdk-docs-'));
  try {
    const init = [
      'init',
      '--domain',
      'example.com',
      '--project-name',
      'docs',
      '--skip-install',
      '--opsdk',
      '*',
    ];
    expect(await runCli(init, { cwd: folder })).toMatchObject({ code: 0 });
    const [kind = '', controller = ''] = blocks(page('docs/crd.md'));
    for (const [path, text] of [
      ['src/api/cache/v1alpha1/memcached.ts', kind],
      ['src/controllers/memcached.ts', controller],
    ] as const) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const run = await runCli(['generate', 'manifests', '-o', 'json'], { cwd: folder });
    const { ok, warnings } = JSON.parse(run.stdout) as { ok: boolean; warnings: { code: string }[] };
    // The page shows files, not how `create api` adds them to the project.
    const registration = ['crd-not-listed', 'not-in-project', 'controller-not-added'];
    const others = warnings.filter(({ code }) => !registration.includes(code.replace('manifests/', '')));
    expect({ ok, others }).toEqual({ ok: true, others: [] });
    const crd = parse(
      readFileSync(join(folder, 'config/crd/bases/cache.example.com_memcacheds.yaml'), 'utf8'),
    );
    expect(crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties).toMatchObject({
      size: { type: 'integer', format: 'int32', minimum: 1, maximum: 5, default: 1 },
      image: { minLength: 1, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
      strategy: { enum: ['Recreate', 'RollingUpdate'] },
    });
    const role = parse(readFileSync(join(folder, 'config/rbac/role.yaml'), 'utf8'));
    expect(role.rules).toContainEqual({ apiGroups: [''], resources: ['secrets'], verbs: ['get'] });
    expect(role.rules).toContainEqual({
      apiGroups: ['apps'],
      resources: ['deployments'],
      verbs: ['create', 'list', 'patch', 'watch'],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(['README.md', 'docs/crd.md', 'docs/architecture.md', 'CONTRIBUTING.md'])(
  'the links of %s lead somewhere',
  (name) => {
    const anchors = Object.keys(explanations).map((code) => code.replace('/', '-'));
    for (const [, target = ''] of page(name).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      expect(existsSync(new URL(`../../../${join(dirname(name), file)}`, import.meta.url)), target).toBe(
        true,
      );
      if (anchor !== undefined && file.endsWith('errors.md')) expect(anchors).toContain(anchor);
    }
  },
);
