// Charts beside deploy: a release with the name of the project, in deploy's namespace, has deploy's objects.
import { describe, expect, test } from 'vitest';
import type { ManifestObject } from '../../../src/kubernetes/yaml/index.ts';
import { renderChart } from '../../../src/project/chart/index.ts';
import { ChartFolder, helms, missing } from './helm.ts';
import { mapped } from './mapped.ts';
import { deployedProjects, type DeployedProject } from './projects.ts';

if (missing !== undefined) console.log(`skipped: the comparison with Helm: ${missing}`);

const projects = await deployedProjects();
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

  test.each([
    '{{ .Release.Name }}',
    '{{- fail "x" }}{{',
    '{{`',
    '{{/* x */}}',
    '}}{{ end }}',
    '{{ "{{" }}',
    '{{{',
    '{',
  ])('prints what Helm would read as an action: %s', async (text) => {
    const project = examples.find(({ name }) => name === 'etcd-operator');
    if (project === undefined) throw new Error('no etcd-operator');
    const manager = 'etcd-operator-controller-manager';
    // Before a name that the release replaces, in block scalars, and between quotes of both kinds.
    const texts = [text, `${text}${manager}${text}`, `a\n${text}\nb\n`, `'${text}" \\`, `# ${text}: `];
    const annotations = Object.fromEntries(texts.map((value, index) => [`example.com/${index}`, value]));
    const hostile = project.objects.map((object) => {
      const annotated = { ...object, metadata: { ...object.metadata, annotations } };
      const changed = JSON.stringify(annotated)
        .replace('"args":[', () => `"args":[${texts.map((each) => JSON.stringify(each)).join()},`)
        .replace('"env":[', () => `"env":[${JSON.stringify({ name: 'TEXT', value: texts.join('') })},`)
        .replaceAll('"description":"', () => `"description":${JSON.stringify(text).slice(0, -1)}`);
      return JSON.parse(changed) as ManifestObject;
    });
    using chart = await chartOf({ ...project, objects: hostile });
    const release = { name: project.name, namespace: namespaceOf(hostile), values: everything(hostile) };
    expect(mapped(chart.template('helm4', release))).toEqual(mapped(hostile));
  });

  test.each(['123', 'on', '1e3', 'null'])(
    'is installed in a namespace that YAML reads as no text: %s',
    async (namespace) => {
      for (const project of [
        ...examples,
        ...projects.filter(({ title }) => title.startsWith('conversion ')),
      ]) {
        using chart = await chartOf(project);
        const objects = chart.template('helm4', {
          name: project.name,
          namespace,
          values: everything(project.objects),
        });
        const namespaces = objects
          .map(({ metadata }) => metadata.namespace)
          .filter((each) => each !== undefined);
        expect(new Set(namespaces)).toEqual(new Set([namespace]));
        expect(JSON.stringify(objects)).not.toMatch(/"namespace":[^"{]/);
      }
    },
  );

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
