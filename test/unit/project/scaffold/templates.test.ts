import { chartModel } from '../../../../src/project/chart/chart.ts';
import { readFile } from 'node:fs/promises';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { detectPackageManager, layout, userAccesses } from '../../../../src/project/project/index.ts';
import {
  render,
  TemplateError,
  variablesOf,
  type JsonValue,
  type TemplateModel,
} from '../../../../src/project/scaffold/engine.ts';
import { apiModel, pathNames, type ApiInput } from '../../../../src/project/scaffold/sets/api.ts';
import { foreignModel } from '../../../../src/project/scaffold/sets/foreign.ts';
import { bundleModel, manifestsModel, initModel } from '../../../../src/project/scaffold/sets/bundle.ts';
import { publishModel } from '../../../../src/project/scaffold/sets/publish.ts';
import { monitoringModel } from '../../../../src/project/monitoring/render-monitoring.ts';
import { everything } from '../monitoring/rendered.ts';
import { conversionModel, webhookModel } from '../../../../src/project/scaffold/sets/webhook.ts';
import { wiringModel } from '../../../../src/project/scaffold/sets/webhook-wiring.ts';
import {
  renderSet,
  templateSets,
  templatesOf,
  type TemplateSet,
} from '../../../../src/project/scaffold/template-tree.ts';

const hostile = "O'Hara */ ${x} {{y}}";

const api: ApiInput = {
  projectName: 'cache-operator',
  resource: {
    group: 'cache',
    domain: 'example.com',
    version: 'v1alpha1',
    kind: 'Memcached',
    plural: 'memcacheds',
    path: 'src/api/cache/v1alpha1/memcached.ts',
    api: { crdVersion: 'v1', namespaced: true },
    controller: true,
  },
  withResource: true,
  withController: true,
  pluralGiven: true,
  firstVersion: true,
  ambiguousKind: true,
  header: 'Copyright somebody.',
};

const foreign = foreignModel({
  projectName: 'cache-operator',
  domain: 'example.com',
  controller: { group: 'cert-manager', kind: 'Manager', controllerName: 'renewal' },
  ambiguousKind: false,
  source: { file: 'src/external/cert-manager.io/v1/manager.ts' },
  exportName: 'Manager',
  crd: 'test/crds/cert-manager.io_managers.yaml',
  testable: true,
  header: 'Copyright somebody.',
});

const whole = monitoringModel(everything);
/** One alert with a label, and a panel of each form: the others differ from them in their texts alone. */
const monitoring: TemplateModel = {
  ...whole,
  alerts: (whole['alerts'] as JsonValue[]).slice(0, 1),
  panels: (whole['panels'] as { type: string; last: boolean }[])
    .filter(({ type }, index, all) => all.findIndex((other) => other.type === type) === index)
    .map((panel, index, all) => ({ ...panel, last: index === all.length - 1 })),
};

/** Parts of a Pod that a provider of certificates does not need. */
const nothing = { args: [], env: [], volumeMounts: [], volumes: [] };

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cache-operator-controller-manager' },
  spec: { template: { spec: { serviceAccountName: 'cache-operator-controller-manager', containers: [] } } },
};

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'cache-operator-webhook-service' },
  spec: { ports: [{ port: 443 }] },
};

const project = initModel({
  domain: 'example.com',
  projectName: 'cache-operator',
  owner: 'somebody',
  license: 'apache2',
  upgradeWorkflow: true,
  opsdk: 'file:.op-sdk/opsdk-0.1.0.tgz',
  cliVersion: '0.1.0',
  packageManager: detectPackageManager({ npm_config_user_agent: 'pnpm/9.0.0' }),
  nodeVersion: '20.19.0',
});

const models: Record<TemplateSet, TemplateModel> = {
  init: project,
  'init-pnpm': {},
  'init-upgrade': project,
  'service-monitor': { projectName: 'cache-operator' },
  'first-api': {},
  kind: apiModel(api),
  api: apiModel(api),
  controller: apiModel(api),
  'foreign-controller': foreign,
  'foreign-integration': foreign,
  webhook: webhookModel({
    resource: api.resource,
    source: { file: 'src/api/cache/v1alpha1/memcached.ts' },
    isForeign: true,
    exportName: 'Cache',
    defaulting: true,
    validation: true,
    defaultingPath: '/default',
    validationPath: '/validate',
    header: 'Copyright somebody.',
  }),
  conversion: conversionModel({
    hub: api.resource,
    spokes: ['v1alpha2', 'v1'].map((version) => ({
      version,
      path: `src/api/cache/${version}/memcached.ts`,
      fields: ['spec', 'status'],
    })),
    header: 'Copyright somebody.',
  }),
  'webhook-config': wiringModel('cache-operator'),
  'webhook-cert-manager': wiringModel('cache-operator'),
  'webhook-self-signed': wiringModel('cache-operator'),
  monitoring,
  manifests: manifestsModel({
    packageName: 'cache-operator',
    hasSamples: true,
    config: '..',
    hasSchemas: true,
  }),
  bundle: bundleModel(
    [
      { key: 'example.com/a', value: 'alpha,beta', section: 'core' },
      { key: 'example.com/b', value: 'scorecard+v1', section: 'test' },
      { key: 'example.com/c', value: 'of somebody', section: 'own' },
    ],
    'bundle',
  ),
  publish: publishModel(['jane', "O'Hara: #"]),
  chart: chartModel({
    ...{ name: 'cache-operator', version: '0.1.0', description: 'An operator', operator: 'cache-operator' },
    ...{ objects: [deployment, service], manager: deployment, nameLength: 28 },
    certificates: {
      ...{ provider: 'self-signed', secret: '', objects: [], injected: new Map() },
      pods: { 'cert-manager': nothing, 'self-signed': nothing },
    },
  }),
};

async function sources(): Promise<{ set: TemplateSet; path: string; text: string }[]> {
  const all = await Promise.all(
    templateSets.map(async (set) =>
      Promise.all(
        (await templatesOf(set)).map(async ({ path, file }) => ({
          set,
          path,
          text: await readFile(file, 'utf8'),
        })),
      ),
    ),
  );
  return all.flat();
}

const templates = await sources();

describe('every template', () => {
  it('is there', () => {
    expect(new Set(templates.map(({ set }) => set))).toEqual(new Set(templateSets));
  });

  it.each(templates.map(({ set, path, text }) => [`${set}/${path}`, set, text] as const))(
    '%s names only variables that its model has, in all branches',
    (_name, set, text) => {
      for (const path of variablesOf(text)) {
        let values: unknown[] = [models[set]];
        for (const step of path.split('.')) {
          values = values.map((value) => (value as Record<string, unknown>)[step.replace('[]', '')]);
          if (step.endsWith('[]')) values = values.flat();
          expect(values, path).not.toContain(undefined);
        }
      }
      // As a type it is what the template says.
      expect(render(text, models[set]).replaceAll('| undefined', '')).not.toMatch(/undefined|\[object/);
    },
  );
});

it('the variables of all models are used', () => {
  const used = new Set(
    templates.flatMap(({ text }) => variablesOf(text).map((path) => path.split(/[.[]/)[0])),
  );
  const given = new Set(Object.values(models).flatMap((model) => Object.keys(model)));
  expect([...given].filter((name) => !used.has(name))).toEqual([]);
});

describe('hostile text in every variable', () => {
  const cases = templates.flatMap(({ set, path, text }) =>
    leaves(models[set]).flatMap((leaf) =>
      variablesOf(text).some((used) =>
        isWithin(leaf.join('.').replace(/\.\d+/g, ''), used.replaceAll('[]', '')),
      )
        ? [[`${set}/${path}: ${leaf.join('.')}`, set, path, text, leaf] as const]
        : [],
    ),
  );

  it.each(cases)('%s', (_name, set, path, text, leaf) => {
    const model = withLeaf(models[set], leaf, hostile) as TemplateModel;
    let rendered: string;
    try {
      rendered = render(text, model);
    } catch (error) {
      // Refused, because nothing hostile can stand there.
      expect(error).toBeInstanceOf(TemplateError);
      return;
    }
    // The text has got in as one value: everything else has kept its shape.
    expect(shapeOf(path, rendered)).toEqual(shapeOf(path, render(text, models[set])));
  });

  it('has met every template that has a variable', () => {
    const met = new Set(cases.map(([, set, path]) => `${set}/${path}`));
    const withText = templates.filter(({ set, text }) =>
      variablesOf(text).some((name) => typeof models[set][name.split('.')[0] ?? ''] !== 'boolean'),
    );
    expect([...met].sort()).toEqual(withText.map(({ set, path }) => `${set}/${path}`).sort());
  });
});

describe('paths', () => {
  it('are those of the layout', async () => {
    const names = pathNames(api.resource);
    const paths = [
      ...(await renderSet('kind', models.kind, names)),
      ...(await renderSet('api', models.api, names)),
      ...(await renderSet('controller', models.controller, names)),
      ...(await renderSet('webhook', models.webhook, names)),
      ...(await renderSet('conversion', models.conversion, names)),
    ].map((file) => file.path);
    expect(paths.sort()).toEqual(
      [
        layout.types(api.resource),
        layout.controller(api.resource),
        layout.controllerTest(api.resource),
        layout.controllerIntegrationTest(api.resource),
        layout.webhook(api.resource),
        layout.webhookTest(api.resource),
        layout.conversion(api.resource),
        layout.conversionTest(api.resource),
        layout.crdCases(api.resource),
        `${layout.samples}/${layout.sampleFile(api.resource)}`,
        ...userAccesses.map((access) => `${layout.rbac}/${layout.userRoleFile(api.resource, access)}`),
      ].sort(),
    );
  });
});

/** The paths of all texts in a model. */
function leaves(value: JsonValue | TemplateModel, path: string[] = []): string[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, JsonValue]) => leaves(inner, [...path, key]));
}

/** True for a variable, and for a part of one that is written as a whole. */
function isWithin(leaf: string, variable: string): boolean {
  return leaf === variable || leaf.startsWith(`${variable}.`);
}

function withLeaf(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === key ? withLeaf(item, rest, text) : item));
  return { ...(value as object), [key]: withLeaf((value as Record<string, unknown>)[key], rest, text) };
}

/** What a file is made of, without the texts in it. */
function shapeOf(path: string, text: string): unknown {
  if (/\.[jt]s$/.test(path)) return typescriptShape(text);
  if (path.endsWith('.json')) return jsonShape(JSON.parse(text));
  if (path.endsWith('.yaml') || path.endsWith('.yml')) {
    // Actions of Helm are no YAML.
    const yaml = text.replaceAll(/^ *\{\{-.*\n/gm, '').replaceAll(/\{\{.*?\}\}/g, 'x');
    return parseAllDocuments(yaml).map((document) => {
      expect(document.errors).toEqual([]);
      return jsonShape(document.toJS());
    });
  }
  return path.endsWith('.txt') ? 'text' : text.split('\n').length;
}

function jsonShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonShape);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, jsonShape(inner)]));
}

function typescriptShape(text: string): unknown {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2022, true);
  const errors = (source as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics;
  expect(errors).toEqual([]);
  const shape = (node: ts.Node): unknown => {
    const inner: unknown[] = [];
    ts.forEachChild(node, (child) => void inner.push(shape(child)));
    return [ts.SyntaxKind[node.kind], ...inner];
  };
  return shape(source);
}
