// The Prometheus operator with the real Prometheus and Alertmanager, which are processes.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureAlertmanager, ensurePrometheus, reasonOf } from '../../../../scripts/lib/test-programs.mjs';
import { PodMonitor } from '../../../../examples/prometheus-operator/src/api/monitoring/v1/pod-monitor.ts';
import {
  Prometheus,
  type PrometheusSpec,
} from '../../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus.ts';
import { PrometheusRule } from '../../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus-rule.ts';
import { ServiceMonitor } from '../../../../examples/prometheus-operator/src/api/monitoring/v1/service-monitor.ts';
import { StatefulSet } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { Pod, Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { startAlertReceiver, type AlertReceiver } from '../../../helpers/prometheus/alert-receiver.ts';
import type { Target } from '../../../helpers/prometheus/prometheus-api.ts';
import { promtoolCheck } from '../../../helpers/prometheus/promtool.ts';
import { ConfigRecorder } from './config-recorder.ts';
import { namespace, PrometheusDrill } from './prometheus-drill.ts';

const reasons = [await reasonOf(ensurePrometheus()), await reasonOf(ensureAlertmanager())];
const hasPrograms = reasons.every((reason) => reason === undefined);
const key = { name: 'sample', namespace };
const statefulSet = { name: 'prometheus-sample', namespace };
const monitor = { name: 'web', namespace };
const pod = { name: 'prometheus-sample-0', namespace };
const slow = { timeout: 100_000, interval: 100 };
/** Pods that pretend to run: nobody answers at their addresses. */
const silent = { name: 'silent', namespace, replicas: 6 };

describe.skipIf(process.platform !== 'linux' || !hasPrograms)(
  'Prometheus and Alertmanager as processes',
  () => {
    let drill: PrometheusDrill;
    let recorder: ConfigRecorder;
    let receiver: AlertReceiver;
    beforeAll(async () => {
      drill = await PrometheusDrill.start();
      recorder = ConfigRecorder.start(drill.client, namespace);
      receiver = await startAlertReceiver();
      await drill.createAlertmanager('main', receiver.url);
      await drill.createPods(silent.name, silent.replicas);
      await drill.client.create(ServiceMonitor, {
        metadata: { ...monitor, labels: { team: 'web' } },
        // Prometheus itself.
        spec: {
          endpoints: [{ port: 'web', interval: '1s' }],
          selector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } },
        },
      });
      await drill.createPrometheus('sample', {
        serviceMonitorSelector: { matchLabels: { team: 'web' } },
        podMonitorSelector: {},
        ruleSelector: {},
        alerting: { alertmanagers: [{ name: 'alertmanager-main', port: 'web' }] },
      });
    });
    afterAll(async () => {
      await recorder?.[Symbol.asyncDispose]();
      await drill?.[Symbol.asyncDispose]();
      await receiver?.[Symbol.asyncDispose]();
    });

    const prometheus = (name = pod.name) => drill.prometheus(name);
    const changeMonitor = (body: object): Promise<unknown> =>
      drill.client.patch(ServiceMonitor, monitor, { type: 'merge', body });
    const change = (spec: PrometheusSpec): Promise<unknown> =>
      drill.client.patch(Prometheus, key, { type: 'merge', body: { spec } });
    const statusOf = async () => (await drill.client.get(Prometheus, key)).status;
    const secretData = async (): Promise<Readonly<Record<string, string>>> =>
      (await drill.client.get(Secret, statefulSet)).data ?? {};
    const storedConfig = async (): Promise<string> =>
      Buffer.from((await secretData())['prometheus.yaml'] ?? '', 'base64').toString();

    test('loads the ServiceMonitors that it selects', slow, async () => {
      await eventually(async () => {
        const status = await statusOf();
        expect(status, JSON.stringify(status?.conditions)).toMatchObject({
          paused: false,
          replicas: 1,
          updatedReplicas: 1,
          availableReplicas: 1,
          unavailableReplicas: 0,
        });
      }, slow);
      await eventually(async () => {
        const [target] = (await prometheus().targets()).filter(({ health }) => health === 'up');
        expect(target?.scrapePool).toBe('serviceMonitor/default/web/0');
        expect(target?.labels).toEqual({
          container: 'prometheus',
          endpoint: 'web',
          instance: `${drill.addressOf(pod.name)}:9090`,
          job: 'prometheus-sample',
          namespace,
          pod: pod.name,
          service: 'prometheus-sample',
        });
      }, slow);
      const config = await prometheus().config();
      expect(config).toContain('prometheus: default/sample');
      expect(config).toContain('prometheus_replica: prometheus-sample-0');
    });

    test('loads changes without a restart, and forgets a ServiceMonitor that it selects no more', async () => {
      const before = await drill.client.get(Pod, pod);
      await changeMonitor({ spec: { endpoints: [{ port: 'web', interval: '17s' }, { port: 'admin' }] } });
      await eventually(async () => {
        const config = await prometheus().config();
        expect(config).toContain('scrape_interval: 17s');
        expect(config).toContain('job_name: serviceMonitor/default/web/1');
      }, slow);
      await changeMonitor({ metadata: { labels: { team: 'other' } } });
      await eventually(
        async () => expect(await prometheus().config()).not.toContain('serviceMonitor/'),
        slow,
      );
      const { metadata, status } = await drill.client.get(Pod, pod);
      expect(metadata.uid).toBe(before.metadata.uid);
      expect(status?.containerStatuses?.map(({ restartCount }) => restartCount)).toEqual([0, 0]);
      await changeMonitor({
        metadata: { labels: { team: 'web' } },
        spec: { endpoints: [{ port: 'web', interval: '1s' }] },
      });
      await eventually(
        async () => expect(await prometheus().config()).toContain('serviceMonitor/default/web/0'),
        slow,
      );
    });

    test('discovers Pods with the rights of its ServiceAccount, and an alert about them is notified', async () => {
      await drill.client.create(PodMonitor, {
        metadata: { name: silent.name, namespace },
        spec: {
          podMetricsEndpoints: [{ port: 'http', interval: '1s' }],
          selector: { matchLabels: { app: silent.name } },
        },
      });
      await drill.client.create(PrometheusRule, {
        metadata: { name: 'targets', namespace },
        spec: {
          groups: [
            {
              name: 'targets',
              interval: '1s',
              rules: [
                { record: 'job:up:count', expr: 'count by (job) (up)' },
                {
                  alert: 'TargetsDown',
                  expr: 'count by (namespace, job) (up == 0) > 0',
                  for: '1s',
                  labels: { severity: 'warning' },
                  annotations: { summary: 'targets of {{ $labels.job }} are down' },
                },
              ],
            },
          ],
        },
      });
      await eventually(async () => {
        const [group] = await prometheus().rules();
        expect(group?.rules.map(({ name, health }) => [name, health])).toEqual([
          ['job:up:count', 'ok'],
          ['TargetsDown', 'ok'],
        ]);
      }, slow);
      await eventually(async () => {
        const [alert] = await prometheus().alerts();
        expect(alert).toMatchObject({ state: 'firing', labels: { alertname: 'TargetsDown', namespace } });
      }, slow);
      await eventually(() => {
        const notified = receiver.alerts.find(({ labels }) => labels['alertname'] === 'TargetsDown');
        expect(notified).toMatchObject({
          status: 'firing',
          labels: { severity: 'warning', job: `${namespace}/${silent.name}`, prometheus: 'default/sample' },
          annotations: { summary: `targets of ${namespace}/${silent.name} are down` },
        });
        // Replicas send the same alerts: the label that distinguishes them must be gone.
        expect(notified?.labels).not.toHaveProperty('prometheus_replica');
        return Promise.resolve();
      }, slow);
    });

    test('puts edits of the Secret right, also those made while the operator is dead', async () => {
      const config = await storedConfig();
      const edited = Buffer.from('global: {}\n').toString('base64');
      const edit = () =>
        drill.client.patch(Secret, statefulSet, {
          type: 'merge',
          body: { data: { 'prometheus.yaml': edited } },
        });
      await edit();
      await eventually(async () => expect(await storedConfig()).toBe(config), slow);
      await drill.killOperator();
      await edit();
      await drill.startOperator();
      await eventually(async () => expect(await storedConfig()).toBe(config), slow);
      await drill.client.delete(Secret, statefulSet);
      await eventually(async () => expect(await storedConfig()).toBe(config), slow);
      await eventually(async () => expect(await prometheus().config()).toContain('podMonitor/'), slow);
    });

    test('changes nothing while it is paused, and catches up afterwards', async () => {
      const { spec } = await drill.client.get(StatefulSet, statefulSet);
      const config = await storedConfig();
      await change({ paused: true, shards: 2 });
      await eventually(async () => expect(await statusOf()).toMatchObject({ paused: true }), slow);
      const before = await drill.reconciles();
      await changeMonitor({ spec: { endpoints: [{ port: 'web', interval: '9s' }] } });
      await eventually(async () => expect(await drill.reconciles()).toBeGreaterThan(before), slow);
      expect(await storedConfig()).toBe(config);
      expect((await drill.client.get(StatefulSet, statefulSet)).spec).toEqual(spec);
      await change({ paused: false });
      await eventually(async () => {
        expect(await storedConfig()).toContain('"scrape_interval": "9s"');
        expect(await statusOf()).toMatchObject({ paused: false });
      }, slow);
    });

    test('shards scrape each target once', slow, async () => {
      const found = (targets: readonly Target[]): readonly string[] =>
        targets
          .filter(({ scrapePool }) => scrapePool.startsWith('podMonitor/'))
          .map(({ scrapeUrl }) => scrapeUrl);
      const { items } = await drill.client.list(Pod, { namespace, labelSelector: `app=${silent.name}` });
      const all = items.map(({ status }) => `http://${status?.podIP}:80/metrics`);
      await eventually(async () => {
        const shards = await Promise.all(
          [pod.name, 'prometheus-sample-shard-1-0'].map(async (name) =>
            found(await prometheus(name).targets()),
          ),
        );
        expect(shards.flat().sort()).toEqual([...all].sort());
        expect(await statusOf()).toMatchObject({ replicas: 2, availableReplicas: 2, unavailableReplicas: 0 });
      }, slow);
    });

    test('writes nothing that promtool refuses, and was never forbidden anything', async () => {
      expect(recorder.configs.size).toBeGreaterThan(5);
      expect(recorder.rules.size).toBeGreaterThan(0);
      await promtoolCheck('config', [...recorder.configs].flatMap(withVariables));
      await promtoolCheck('rules', [...recorder.rules]);
      expect((await drill.rights.judge()).forbidden).toEqual([]);
    });
  },
);

/** Returns a configuration as the Pods of both shards have it. */
function withVariables(config: string): readonly string[] {
  return ['0', '1'].map((shard) =>
    config.replaceAll('$(SHARD)', shard).replaceAll('$(POD_NAME)', 'prometheus-sample-0'),
  );
}
