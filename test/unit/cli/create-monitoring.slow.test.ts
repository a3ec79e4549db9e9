// create monitoring on projects: what it writes, what it switches on, what a further run keeps.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/kubernetes/yaml/index.ts';
import { ScaffoldedProjects, type ScaffoldedProject } from '../../helpers/scaffolded-project.ts';

const projects = new ScaffoldedProjects();
afterAll(() => projects.remove());

const rules = 'config/prometheus/rules.yaml';
const dashboard = 'config/grafana/cache-operator.json';
const create = ['create', 'monitoring'];
const api = ['create', 'api', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached'];
const webhook = ['create', 'webhook', '--group', 'cache', '--version', 'v1', '--kind', 'Memcached'];

interface Rule {
  readonly alert: string;
}
const alertsOf = (project: ScaffoldedProject): string[] =>
  (parseYaml(project.read(rules), rules).value as { spec: { groups: { rules: Rule[] }[] } }).spec.groups
    .flatMap((group) => group.rules)
    .map(({ alert }) => alert);
const titlesOf = (project: ScaffoldedProject): string[] =>
  (JSON.parse(project.read(dashboard)) as { panels: { title: string }[] }).panels.map(({ title }) => title);

describe('create monitoring', () => {
  test('writes alerts and a dashboard, and switches their sections on', async () => {
    const project = await projects.create();
    await project.done(api);
    const { stderr } = await project.done(create);
    expect(stderr).toContain('clusterrolebinding cache-operator-metrics-prometheus');
    expect(alertsOf(project)).toContain('OperatorReconcilesFailing');
    expect(alertsOf(project)).not.toContain('OperatorWebhookSlow');
    expect(titlesOf(project)).toContain('Controller memcached');
    expect(titlesOf(project)).not.toContain('Webhooks');
    const { resources, components } = parseYaml(project.read('config/default/kustomization.yaml'), '')
      .value as Record<string, string[]>;
    expect(resources).toEqual(expect.arrayContaining(['../prometheus', '../grafana']));
    expect(components).toEqual(['../metrics']);
    const { stdout } = await project.done(['kustomize', 'build', 'config/default']);
    for (const text of [
      'kind: ServiceMonitor',
      'kind: PrometheusRule',
      'name: cache-operator-grafana-dashboard',
      'grafana_dashboard: "1"',
      'job="cache-operator-controller-manager-metrics-service"',
      'name: cache-operator-controller-manager-metrics-service',
    ])
      expect(stdout).toContain(text);
  });

  test('changes nothing in a second run, and --check accepts that', async () => {
    const project = await projects.create();
    await project.done(api);
    await project.done(create);
    const before = project.tree();
    await project.done(create);
    expect(project.tree()).toEqual(before);
    await project.done([...create, '--check']);
  });

  test('--check refuses what a run would change, and --dry-run writes nothing', async () => {
    const project = await projects.create();
    const missing = await project.refused([...create, '--check']);
    expect(missing.map(({ code }) => code)).toContain('manifests/out-of-date');
    const before = project.tree();
    await project.done([...create, '--dry-run']);
    expect(project.tree()).toEqual(before);
    await project.done(create);
    await project.done(api);
    const outdated = await project.refused([...create, '--check']);
    expect(outdated.map(({ where }) => where)).toContainEqual({ file: dashboard });
  });

  test('brings controllers, webhooks and metrics that are new, and removes what is gone', async () => {
    const project = await projects.create();
    await project.done(create);
    expect((await project.done(api)).stderr).toContain('op-sdk create monitoring');
    await project.done([...webhook, '--defaulting', '--programmatic-validation']);
    project.write(
      'src/metrics.ts',
      `import { metricsRegistry } from 'opsdk';
import { Counter } from 'prom-client';
export const evictions = new Counter({ name: 'cache_evictions_total', help: 'Evictions', labelNames: ['kind'], registers: [metricsRegistry] });
export const lost = new Counter({ name: process.title, help: 'Lost', registers: [metricsRegistry] });
`,
    );
    const { stderr } = await project.done(create);
    expect(stderr).toMatch(/src\/metrics\.ts:4:\d+.*manifests\/unread-metric|manifests\/unread-metric/s);
    expect(alertsOf(project)).toEqual(
      expect.arrayContaining(['OperatorWebhookSlow', 'OperatorWebhookFailing', 'OperatorWebhookDenying']),
    );
    // In the place where a project that has had them from the start has them.
    expect(alertsOf(project).indexOf('OperatorWebhookSlow')).toBe(
      alertsOf(project).indexOf('OperatorWatchInterrupted') + 1,
    );
    expect(titlesOf(project)).toEqual(
      expect.arrayContaining(['Controller memcached', 'Webhooks', 'cache_evictions_total, per second']),
    );
    expect(project.read(dashboard)).toContain('sum by (kind) (rate(cache_evictions_total');
    rmSync(join(project.folder, 'src/metrics.ts'));
    await project.done(create);
    expect(titlesOf(project)).not.toContain('cache_evictions_total, per second');
  });

  test('keeps edits: of rules, panels, kustomizations, and of deleted files', async () => {
    const project = await projects.create();
    await project.done(create);
    project.edit(rules, (text) => text.replace('for: 5m', 'for: 7m # ours'));
    project.edit('config/default/kustomization.yaml', (text) => text.replace('- ../grafana\n', ''));
    rmSync(join(project.folder, dashboard));
    await project.done(api);
    const before = project.tree();
    const { stderr } = await project.done(create);
    expect(project.tree()).toEqual(before);
    expect(stderr).toContain(`${dashboard} was deleted and stays so`);
    await project.done([...create, '--force']);
    expect(titlesOf(project)).toContain('Controller memcached');
    expect(project.read(rules)).not.toContain('# ours');
    expect(project.read(`${rules}.orig`)).toContain('for: 7m # ours');
    expect(existsSync(join(project.folder, `${dashboard}.orig`))).toBe(false);
  });

  test('refuses to overwrite a file that op-sdk has not written', async () => {
    const project = await projects.create();
    project.write(rules, 'apiVersion: monitoring.coreos.com/v1\n');
    expect(await project.refused(create)).toMatchObject([
      { code: 'scaffold/file-exists', where: { file: rules } },
    ]);
    await project.done([...create, '--force']);
    expect(project.read(`${rules}.orig`)).toBe('apiVersion: monitoring.coreos.com/v1\n');
  });

  test.each([
    [rules, 'spec: "', 'io/yaml-syntax'],
    [dashboard, '{', 'project/cannot-edit'],
    [dashboard, '{\n  "panels": }\n', 'project/cannot-edit'],
    [dashboard, '{"panels": {}}', 'project/cannot-edit'],
    [dashboard, '{"dashboard": {"panels": []}, "meta": {}}', 'project/cannot-edit'],
    [
      dashboard,
      '{"apiVersion": "dashboard.grafana.app/v2", "spec": {"elements": {}}}',
      'project/cannot-edit',
    ],
  ])('refuses %s with the text %s', async (file, text, code) => {
    const project = await projects.create();
    await project.done(create);
    project.write(file, text);
    const errors = await project.refused(create);
    expect(errors).toMatchObject([{ code, where: { file } }]);
    expect(errors[0]?.message).not.toContain('\n');
    expect(project.read(file)).toBe(text);
  });

  test('says that a kustomization does not name the dashboard, after the project has another name', async () => {
    const project = await projects.create();
    await project.done(create);
    project.edit('PROJECT', (text) =>
      text.replace('projectName: cache-operator', 'projectName: redis-operator'),
    );
    const { stderr } = await project.done(create);
    expect(stderr).toContain(
      'config/grafana/kustomization.yaml does not name redis-operator.json: add it to `files`, in place of a dashboard with a former name.',
    );
  });

  test('has its alerts, its ServiceMonitor and its dashboard in a bundle that is valid', async () => {
    const project = await projects.create();
    await project.done(api);
    await project.done(create);
    const about = ['--description', 'Caches', '--provider', 'Example', '--keywords', 'cache'];
    const maintainers = ['--maintainers', 'Jane Doe:jane@example.com'];
    await project.done([
      'generate',
      'kustomize',
      'manifests',
      '--interactive=false',
      ...about,
      ...maintainers,
    ]);
    await project.done(['generate', 'bundle', '--version', '0.0.1']);
    const { stderr } = await project.done(['bundle', 'validate', 'bundle']);
    expect(stderr).not.toContain('error');
    const kinds = Object.keys(project.tree())
      .filter((path) => /^bundle\/manifests\/.*\.yaml$/.test(path))
      .map((path) => /^kind: (\w+)$/m.exec(project.read(path))?.[1]);
    expect(kinds).toEqual(expect.arrayContaining(['PrometheusRule', 'ServiceMonitor', 'ConfigMap']));
  });

  test('has a row for each controller, of several groups and of further names', async () => {
    const project = await projects.create();
    const kind = (group: string, name: string, ...flags: string[]): Promise<unknown> =>
      project.done(['create', 'api', '--group', group, '--version', 'v1', '--kind', name, ...flags]);
    await kind('cache', 'Memcached');
    await kind('legacy.cache', 'Memcached');
    await kind('network', 'Proxy', '--controller-name', 'proxy-renewal');
    await project.done(create);
    const rows = titlesOf(project).filter((title) => title.startsWith('Controller '));
    const names = [...project.read('src/main.ts').matchAll(/manager\.add\((\w+)\)/g)];
    expect(rows).toHaveLength(names.length);
    expect(rows).toContain('Controller proxy-renewal');
  });

  test('takes the names of the job and of the ClusterRole from the kustomization', async () => {
    const project = await projects.create();
    project.edit('config/default/kustomization.yaml', (text) =>
      text.replace('namePrefix: cache-operator-', 'namePrefix: team-\nnameSuffix: -x'),
    );
    const { stderr } = await project.done(create);
    expect(stderr).toContain(
      'clusterrolebinding team-metrics-prometheus-x --clusterrole=team-metrics-reader-x ',
    );
    expect(project.read(rules)).toContain('job="team-controller-manager-metrics-service-x"');
  });
});

test('init --monitoring gives the same as create monitoring after init', async () => {
  const [one, other] = [await projects.create(), await projects.create()];
  await one.done(create);
  rmSync(other.folder, { recursive: true });
  const { mkdirSync } = await import('node:fs');
  mkdirSync(other.folder);
  const init = ['init', '--domain', 'example.com', '--project-name', 'cache-operator'];
  await other.done([...init, '--skip-install', '--opsdk', '^0.1.0', '--monitoring']);
  expect(other.tree()).toEqual(one.tree());
});
