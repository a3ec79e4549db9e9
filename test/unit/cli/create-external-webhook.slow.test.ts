// Webhooks of kinds that others define, by a CRD or a module of a package; what is generated from them.
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ScaffoldedProject } from '../../helpers/scaffolded-project.ts';
import { entriesOf, projects } from './webhook-project.ts';

afterAll(() => projects.remove());

const crd = (kind: string): string => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { type: 'object', properties: { spec: { type: 'object' } } };
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.parts.example.org` },
    spec: {
      group: 'parts.example.org',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
};

async function withCrds(): Promise<ScaffoldedProject> {
  const project = await projects.create();
  for (const kind of ['Widget', 'Gadget']) project.write(`crds/${kind}.json`, crd(kind));
  return project;
}

const external = (...flags: string[]): string[] => ['create', 'webhook', '--external-api-path', ...flags];

/** The rules of all webhooks in the generated configurations. */
async function generatedRules(project: ScaffoldedProject): Promise<readonly object[]> {
  await project.done(['generate', 'manifests', '--check']);
  return project
    .read('config/webhook/manifests.yaml')
    .split(/^---$/m)
    .flatMap(
      (text) => (parse(text) as { webhooks?: { name: string; rules: object[] }[] } | null)?.webhooks ?? [],
    )
    .flatMap(({ name, rules }) => rules.map((rule) => ({ name, ...rule })));
}

describe('create webhook --external-api-path', () => {
  test('with a CRD imports the types of the kind, and generates the configuration', async () => {
    const project = await withCrds();
    await project.done(external('crds/Widget.json', '--defaulting', '--programmatic-validation'));
    expect(entriesOf(project)).toMatchObject([
      {
        ...{ group: 'parts', domain: 'example.org', version: 'v1', kind: 'Widget', external: true },
        path: 'src/external/parts.example.org/v1/widget.ts',
        webhooks: { defaulting: true, validation: true },
      },
    ]);
    expect(project.read('src/webhooks/parts/v1/widget.ts')).toContain(
      "from '../../../external/parts.example.org/v1/widget.ts'",
    );
    const rule = { apiGroups: ['parts.example.org'], apiVersions: ['v1'], resources: ['widgets'] };
    expect(await generatedRules(project)).toMatchObject([
      { name: 'mwidget-v1.parts.example.org', ...rule },
      { name: 'vwidget-v1.parts.example.org', ...rule },
    ]);
  });

  test('with --external-api-domain and --group chooses among the kinds of a folder', async () => {
    const project = await withCrds();
    const flags = ['--external-api-domain', 'example.org', '--group', 'parts', '--kind', 'Gadget'];
    await project.done(external('crds', ...flags, '--programmatic-validation'));
    expect(entriesOf(project)).toMatchObject([
      { group: 'parts', domain: 'example.org', kind: 'Gadget', webhooks: { validation: true } },
    ]);
    expect(await generatedRules(project)).toMatchObject([{ resources: ['gadgets'] }]);
  });

  test('with a module imports the token of the package', async () => {
    const project = await projects.create();
    project.write(
      'node_modules/widgets/package.json',
      '{ "name": "widgets", "type": "module", "exports": { "./v1": "./v1.js" } }',
    );
    project.write(
      'node_modules/widgets/v1.d.ts',
      "import type { CustomResource, Resource } from 'opsdk';\nexport declare const WidgetV1: Resource<CustomResource<'a.io/v1', 'Widget'>>;\n",
    );
    project.write(
      'node_modules/widgets/v1.js',
      "import { defineResource } from 'opsdk';\nexport const WidgetV1 = defineResource({ group: 'a.io', version: 'v1', kind: 'Widget' });\n",
    );
    await project.done(external('widgets/v1', '--defaulting'));
    expect(entriesOf(project)).toMatchObject([{ path: 'widgets/v1', webhooks: { defaulting: true } }]);
    expect(project.read('src/webhooks/a/v1/widget.ts')).toContain("from 'widgets/v1'");
    expect(await generatedRules(project)).toMatchObject([{ apiGroups: ['a.io'], resources: ['widgets'] }]);
  });

  test('adds a further function to the kind that PROJECT then lists, without the path', async () => {
    const project = await withCrds();
    await project.done(external('crds/Widget.json', '--defaulting'));
    const named = ['--group', 'parts', '--version', 'v1', '--kind', 'Widget'];
    await project.done(['create', 'webhook', ...named, '--programmatic-validation']);
    expect(entriesOf(project)).toMatchObject([{ webhooks: { defaulting: true, validation: true } }]);
    expect(await generatedRules(project)).toHaveLength(2);
  });

  test.each([
    ['a domain without a path', ['--external-api-domain', 'io', '--defaulting'], 'cli/missing-value', 2],
    ['a conversion', ['--external-api-path', 'crds/Widget.json', '--conversion'], 'cli/invalid-value', 2],
    ['several kinds', ['--external-api-path', 'crds', '--defaulting'], 'project/external-kind', 1],
    [
      'another domain than that of the CRD',
      ['--external-api-path', 'crds', '--external-api-domain', 'com', '--group', 'parts', '--defaulting'],
      'project/external-kind',
      1,
    ],
    ['a path that leads nowhere', ['--external-api-path', 'missing.yaml', '--defaulting'], 'io/not-found', 1],
  ] as const)('refuses %s', async (_name, flags, code, exit) => {
    const project = await withCrds();
    expect(await project.refused(['create', 'webhook', ...flags], exit)).toMatchObject([{ code }]);
  });
});
