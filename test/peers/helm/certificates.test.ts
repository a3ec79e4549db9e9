// The chosen provider of certificates: a chart has what a project of that provider has, in releases of any name.
import { cpSync, existsSync, mkdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { renderKustomization } from '../../../src/kubernetes/kustomize/index.ts';
import { parseYaml, type ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import type { ProjectResource } from '../../../src/project/project/index.ts';
import {
  certProviderOf,
  certProviders,
  webhookState,
  wiringEdits,
  wiringFiles,
  type CertProvider,
} from '../../../src/project/scaffold/index.ts';
import { webhookProjects } from '../kustomize/scaffolds.ts';
import { ChartFolder, missing } from './helm.ts';

const golden = join(import.meta.dirname, '../../golden/projects');
const scratch = mkdtempSync(join(tmpdir(), 'op-sdk-providers-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** Copies a golden project, and gives it the provider as `create webhook` does in a project without webhooks. */
async function projectWith(name: string, provider: CertProvider): Promise<string> {
  const folder = join(scratch, `${name}-${provider}`);
  cpSync(join(golden, name), folder, { recursive: true });
  const read = (path: string): Promise<string | undefined> =>
    Promise.resolve(existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined);
  const write = (files: readonly { readonly path: string; readonly content: string }[]): void => {
    for (const { path, content } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  };
  const former = await certProviderOf(read);
  if (former === undefined) throw new Error(`${name} has no webhooks`);
  if (former === provider) return folder;
  const { resources, projectName } = parseYaml(readFileSync(join(folder, 'PROJECT'), 'utf8'), 'PROJECT')
    .value as { readonly resources: readonly ProjectResource[]; readonly projectName: string };
  const named = resources.map((each) => ({ ...each, plural: `${each.kind.toLowerCase()}s` }));
  write(await wiringEdits(webhookState(named, former), undefined, read));
  const about = { projectName, root: undefined };
  for (const { path } of await wiringFiles(about, former)) rmSync(join(folder, path));
  write(await wiringFiles(about, provider));
  write(await wiringEdits(undefined, webhookState(named, provider), read));
  return folder;
}

async function chartOf(name: string, folder: string): Promise<ChartFolder> {
  const placed = await renderKustomization('config/default', { cwd: folder });
  const objects = placed.map(({ object }) => object);
  const about = { version: '0.1.0', description: 'An operator', root: undefined };
  return new ChartFolder(await renderChart({ name, objects, ...about }));
}

/**
 * Returns objects by kind and name. The order of variables and volumes has no meaning here, as none refers to another. POD_NAMESPACE stays
 * where a project has it: other parts of an operator may read it.
 */
function byName(objects: readonly ManifestObject[]): ReadonlyMap<string, unknown> {
  return new Map(
    objects.map((object) => [`${object.kind} ${object.metadata.name}`, sorted(object)] as const),
  );
}

function sorted(node: unknown): unknown {
  if (Array.isArray(node)) {
    const items = node
      .filter((item) => (item as { readonly name?: unknown } | null)?.name !== 'POD_NAMESPACE')
      .map(sorted);
    return items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, sorted(value)]));
}

const cases = Object.values(webhookProjects).flatMap((name) =>
  certProviders.map((provider) => [name, provider] as const),
);

describe.skipIf(missing !== undefined)('the provider of certificates', () => {
  test.each(cases)('%s with %s by value is the project of that provider', async (name, provider) => {
    const other = certProviders.find((each) => each !== provider) ?? provider;
    using chosen = await chartOf(name, await projectWith(name, other));
    using scaffolded = await chartOf(name, await projectWith(name, provider));
    for (const release of [
      { name, namespace: `${name}-system` },
      { name: 'another', namespace: 'elsewhere' },
    ]) {
      const values = { webhooks: { certProvider: provider } };
      const [found, wanted] = [
        chosen.template('helm4', { ...release, values }),
        scaffolded.template('helm4', release),
      ];
      expect(byName(found)).toEqual(byName(wanted));
      expect(JSON.stringify(found).includes('cert-manager.io/')).toBe(provider === 'cert-manager');
    }
  });

  test.each(cases)('%s with %s calls the Service of the release', async (name, provider) => {
    using chart = await chartOf(name, await projectWith(name, provider));
    const objects = chart.template('helm4', { name: 'another', namespace: 'elsewhere' });
    const text = JSON.stringify(objects);
    const services = [...text.matchAll(/"service":\{"name":"([^"]*)","namespace":"([^"]*)"/g)];
    expect(services.length).toBeGreaterThan(0);
    for (const [, service, namespace] of services)
      expect([service, namespace]).toEqual([`another-${name}-webhook-service`, 'elsewhere']);
    expect(text.includes('"webhook-server-cert"')).toBe(false);
  });
});
