// The example is a project as a user has it, edited: its manifests follow from its sources, and its CRDs accept what its cases say.
// UPDATE_GOLDEN=1 writes the manifests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { createTestApi } from '../../../src/testing/index.ts';
import { externalResource } from '../../../src/sdk/api/index.ts';
import { repositoryRoot } from '../../helpers/source-files.ts';
import { copyExample, expectBundle } from './example-bundle.ts';
import { exampleFolder, expectManifests, runIn } from './example-commands.ts';

const project = exampleFolder('prometheus-operator');

test('its manifests follow from its sources, without a warning', async () => {
  if (process.env['UPDATE_GOLDEN'] === '1') await runIn(project, 'generate', 'manifests');
  await expectManifests(project);
});

test('its CRDs accept and refuse what its cases say', async () => {
  await runIn(project, 'crd', 'test');
});

test('its kustomizations are complete', async () => {
  const built = await runIn(project, 'kustomize', 'build', 'config/default');
  for (const kind of ['ValidatingWebhookConfiguration', 'ServiceMonitor', 'PrometheusRule'])
    expect(built).toContain(`kind: ${kind}\n`);
  expect(await runIn(project, 'kustomize', 'build', 'config/samples')).toContain('kind: ThanosRuler');
});

test('its bundle has no finding', async () => {
  await using copy = await copyExample('prometheus-operator');
  await expectBundle(copy.folder, {
    packageName: 'prometheus-operator',
    capabilities: 'Deep Insights',
    related: [
      'quay.io/prometheus/prometheus:v3.5.0',
      'quay.io/prometheus/alertmanager:v0.28.1',
      'quay.io/thanos/thanos:v0.39.2',
      'quay.io/prometheus-operator/prometheus-config-reloader:v0.85.0',
    ],
  });
});

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}
interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly shortNames: readonly string[];
      readonly categories: readonly string[];
    };
    readonly scope: 'Namespaced';
    readonly versions: readonly {
      readonly name: string;
      readonly schema: { readonly openAPIV3Schema: Schema };
      readonly subresources?: { readonly scale?: object };
      readonly additionalPrinterColumns?: readonly object[];
    }[];
  };
}

// The definitions that the project behind these kinds publishes, where a folder of them is at hand.
const published = join(repositoryRoot, '../shared/data/monitoring-crds');
const isThere = existsSync(published);
const reason = isThere ? '' : ' (skipped: there is no folder ../shared/data/monitoring-crds)';
const seed = join(repositoryRoot, '../shared/data/seeds/operators/prometheus.yaml');
const bases = join(project, 'config/crd/bases');

function definitionIn(file: string): Definition {
  // The enum of matchers has the text `=`, which is a type of its own in YAML 1.1.
  return parse(readFileSync(file, 'utf8')) as Definition;
}

/** Fields that are newer in Kubernetes than the published definitions. */
const newer = ['.spec.storage.emptyDir.mode'];

describe.skipIf(!isThere)(`its kinds are those that are published${reason}`, () => {
  test.each(isThere ? readdirSync(published) : [])('%s', (file) => {
    const theirs = definitionIn(join(published, file));
    const ours = definitionIn(join(bases, `monitoring.coreos.com_${file}`));
    expect(ours.metadata.name).toBe(theirs.metadata.name);
    expect(ours.spec.scope).toBe(theirs.spec.scope);
    expect(ours.spec.names).toEqual(theirs.spec.names);
    const [version] = ours.spec.versions;
    const same = theirs.spec.versions.find(({ name }) => name === version?.name);
    expect(version?.additionalPrinterColumns).toEqual(same?.additionalPrinterColumns);
    expect(version?.subresources?.scale).toEqual(same?.subresources?.scale);
    const unknown: string[] = [];
    compare(version?.schema.openAPIV3Schema ?? {}, same?.schema.openAPIV3Schema ?? {}, '', unknown);
    expect(unknown.filter((path) => !newer.includes(path))).toEqual([]);
  });

  test('its page names the fields that are missing', () => {
    const page = readFileSync(join(project, 'README.md'), 'utf8');
    const missing = readdirSync(published).flatMap((file) => {
      const spec = (definition: Definition): readonly string[] =>
        Object.keys(
          definition.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec']?.properties ?? {},
        );
      const ours = new Set(spec(definitionIn(join(bases, `monitoring.coreos.com_${file}`))));
      return spec(definitionIn(join(published, file))).filter((field) => !ours.has(field));
    });
    expect(missing.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });

  test('its samples are valid by both, and lose nothing', async () => {
    const samples = join(project, 'config/samples');
    const texts = [seed, ...readdirSync(samples).map((name) => join(samples, name))].map((file) =>
      readFileSync(file, 'utf8'),
    );
    const objects = texts
      .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Sample | null))
      .filter((object) => object?.apiVersion?.startsWith('monitoring.coreos.com/') === true);
    expect(objects.length).toBeGreaterThan(8);
    for (const folder of [published, bases]) {
      const kinds = readdirSync(folder).map((file) => resourceOf(definitionIn(join(folder, file))));
      await using api = await createTestApi({ crds: [folder], kinds });
      for (const object of objects) {
        const kind = kinds.find((each) => each.kind === object?.kind);
        if (kind === undefined || object === null) throw new Error(`${object?.kind} has no definition`);
        const metadata = { ...object.metadata, namespace: 'default' };
        const stored = await api.client.create(
          kind,
          { ...object, metadata },
          {
            fieldValidation: 'Strict',
          },
        );
        expect(stored, `${folder} ${object.kind} ${object.metadata.name}`).toMatchObject({
          spec: object.spec,
        });
      }
    }
  });
});

interface Sample {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

function resourceOf({ spec }: Definition) {
  const { kind, plural } = spec.names;
  const version = spec.versions[0]?.name ?? '';
  return externalResource({ group: spec.group, version, kind, plural, scope: spec.scope });
}

/** Reports fields that theirs does not have, or has with another type. */
function compare(ours: Schema, theirs: Schema, path: string, unknown: string[]): void {
  if (ours.type !== theirs.type && theirs.type !== undefined) unknown.push(`${path}: ${ours.type}`);
  for (const [name, schema] of Object.entries(ours.properties ?? {})) {
    const other = theirs.properties?.[name];
    if (other !== undefined) compare(schema, other, `${path}.${name}`, unknown);
    else if (theirs['x-kubernetes-preserve-unknown-fields'] !== true) unknown.push(`${path}.${name}`);
  }
  if (ours.items !== undefined) compare(ours.items, theirs.items ?? {}, `${path}[]`, unknown);
  if (typeof ours.additionalProperties === 'object' && typeof theirs.additionalProperties === 'object')
    compare(ours.additionalProperties, theirs.additionalProperties, `${path}.*`, unknown);
}
