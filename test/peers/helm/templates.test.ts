// Charts beside deploy: a release with the name of the project, in deploy's namespace, has deploy's objects.
import { describe, expect, test } from 'vitest';
import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import { ChartFolder, helms, missing } from './helm.ts';
import { deployedProjects, type DeployedProject } from './projects.ts';

if (missing !== undefined) console.log(`skipped: the comparison with Helm: ${missing}`);

const projects = await deployedProjects();
const commonLabels = [
  'app.kubernetes.io/name',
  'app.kubernetes.io/managed-by',
  'app.kubernetes.io/instance',
  'helm.sh/chart',
];

/**
 * All that a release has in another way than deploy:
 * 1. Helm creates the namespace, or somebody has.
 * 2. Labels of all objects: instance, chart, and Helm as the manager.
 * 3. Labels of Pods, and selectors of Pods and Services, name the release.
 * 4. Definitions have the annotation by which Helm keeps them.
 * 5. Helm runs a Pod for `helm test`.
 * 6. The Secret with the certificate of webhooks has a name of the release.
 * 7. Webhooks of an operator that watches its own namespace are called for that one alone.
 */
function mapped(all: readonly ManifestObject[]): ReadonlyMap<string, unknown> {
  const text = JSON.stringify(all).replaceAll(/"[\w-]*(?=webhook-server-cert")/g, '"');
  const objects = JSON.parse(text) as readonly ManifestObject[];
  return new Map(
    objects
      .filter(
        ({ kind, metadata }) => kind !== 'Namespace' && metadata.annotations?.['helm.sh/hook'] === undefined,
      )
      .map((object) => {
        const { labels = {}, annotations = {}, ...metadata } = object.metadata;
        const own = Object.entries(labels).filter(([name]) => !commonLabels.includes(name));
        const kept = Object.entries(annotations).filter(([name]) => name !== 'helm.sh/resource-policy');
        const rest = withoutInstance({ ...object, ...withoutNamespaces(object), metadata: {} }) as object;
        return [
          `${object.kind} ${object.metadata.name}`,
          {
            ...rest,
            metadata: { ...metadata, labels: Object.fromEntries(own), annotations: Object.fromEntries(kept) },
          },
        ] as const;
      }),
  );
}

function withoutInstance(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutInstance);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => name !== 'app.kubernetes.io/instance');
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutInstance(value)]));
}

function withoutNamespaces({ webhooks }: ManifestObject): object {
  if (!Array.isArray(webhooks)) return {};
  return {
    webhooks: webhooks.map((webhook: object) =>
      Object.fromEntries(Object.entries(webhook).filter(([name]) => name !== 'namespaceSelector')),
    ),
  };
}

function chartOf({ name, objects }: DeployedProject): Promise<ChartFolder> {
  const about = { version: '0.1.0', description: 'An operator', root: undefined };
  return renderChart({ name, objects, ...about }).then((files) => new ChartFolder(files));
}

function namespaceOf(objects: readonly ManifestObject[]): string {
  return objects.find(({ kind }) => kind === 'Deployment')?.metadata.namespace ?? '';
}

/** Values that switch on what is for some clusters only. */
function everything(objects: readonly ManifestObject[]): Readonly<Record<string, unknown>> {
  const hasDashboard = objects.some(({ metadata }) => metadata.labels?.['grafana_dashboard'] !== undefined);
  const isMonitored = objects.some(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com/'));
  if (!isMonitored && !hasDashboard) return {};
  return {
    monitoring: { ...(isMonitored ? { enabled: true } : {}), ...(hasDashboard ? { dashboard: true } : {}) },
  };
}

const examples = projects.filter(({ title }) => title.startsWith('example '));
const cases = projects.map((project) => [project.title, project] as const);
const exampleCases = examples.map((project) => [project.title, project] as const);

describe.skipIf(missing !== undefined)('the chart of a project', () => {
  test('is that of every example with config/default, and of scaffolds', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
    expect(projects.length).toBeGreaterThan(30);
  });

  test.each(cases)('has the objects of deploy: %s', async (_title, project) => {
    using chart = await chartOf(project);
    const { name, objects } = project;
    const release = { name, namespace: namespaceOf(objects), values: everything(objects) };
    expect(mapped(chart.template('helm4', release))).toEqual(mapped(objects));
  });

  test.each(exampleCases)('is the same for Helm 3, and has no finding: %s', async (_title, project) => {
    using chart = await chartOf(project);
    const { name, objects } = project;
    const release = { name, namespace: namespaceOf(objects), values: everything(objects) };
    expect(mapped(chart.template('helm3', release))).toEqual(mapped(objects));
    for (const helm of helms) expect(chart.lint(helm)).toBe('');
  });

  test.each(exampleCases)('shares no name with a release of another name: %s', async (_title, project) => {
    using chart = await chartOf(project);
    const values = everything(project.objects);
    const [one, other] = ['one', 'other'].map(
      (name) => new Set(mapped(chart.template('helm4', { name, namespace: `ns-${name}`, values })).keys()),
    );
    const shared = [...(one ?? [])].filter((key) => other?.has(key));
    expect(shared.filter((key) => !key.startsWith('CustomResourceDefinition '))).toEqual([]);
  });

  test('has names that Kubernetes accepts, however long that of the release is', async () => {
    const project = examples.find(({ name }) => name === 'etcd-operator');
    if (project === undefined) throw new Error('no etcd-operator');
    using chart = await chartOf(project);
    const names = ['a', 'b'].flatMap((last) => {
      const name = `${'long-'.repeat(10)}${last}`;
      const objects = chart.template('helm4', {
        name,
        namespace: 'default',
        values: everything(project.objects),
      });
      return objects.filter(({ kind }) => kind !== 'CustomResourceDefinition');
    });
    expect(names.filter(({ metadata }) => metadata.name.length > 63)).toEqual([]);
    expect(new Set(names.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(names.length);
  });
});
