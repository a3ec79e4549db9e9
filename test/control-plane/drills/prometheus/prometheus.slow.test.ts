import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StatefulSet } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { eventually } from '../../../../src/testing/index.ts';
import { isInstalled } from '../../../helpers/guide.ts';
import { isThorough } from '../../../helpers/thorough.ts';
import { startDrill, type Drill } from '../start-drill.ts';
import { Prometheus } from '../../../operators/prometheus/api/prometheus.ts';
import { ServiceMonitor } from '../../../operators/prometheus/api/service-monitor.ts';
import { prometheusController } from '../../../operators/prometheus/prometheus-controller.ts';

const namespace = 'default';
const key = { name: 'sample', namespace };
const monitor = { name: 'web', namespace };
const slow = { timeout: 60_000 };
const hasProgram = isInstalled('prometheus', process.env['PATH'] ?? '');

describe.skipIf(process.platform !== 'linux' || !hasProgram)(
  `Prometheus as a process${hasProgram ? '' : ' (prometheus is not installed)'}`,
  () => {
    let drill: Drill;
    beforeAll(async () => {
      drill = await startDrill({
        operator: 'prometheus',
        runProcesses: {
          prometheus: ({ args }) => ({ file: 'prometheus', args }),
          'prometheus-config-reloader': ({ args }) => ({
            file: process.execPath,
            args: [join(import.meta.dirname, 'config-reloader.mjs'), ...args],
          }),
        },
        controllers: () => [prometheusController],
      });
      await drill.client.create(ServiceMonitor, {
        metadata: { ...monitor, labels: { team: 'web' } },
        // Prometheus itself.
        spec: {
          endpoints: [{ port: 'web', interval: '1s' }],
          matchLabels: { 'app.kubernetes.io/name': 'prometheus' },
        },
      });
      await drill.client.create(Prometheus, {
        metadata: key,
        spec: { serviceMonitorSelector: { matchLabels: { team: 'web' } } },
      });
    });
    afterAll(() => drill?.end());

    /** Asks a Pod by its name. */
    const ask = async <T>(path: string, pod = 'prometheus-sample-0'): Promise<T> => {
      const url = `http://${pod}.prometheus-sample.${namespace}.svc:9090/api/v1/${path}`;
      return ((await (await fetch(url)).json()) as { readonly data: T }).data;
    };
    /** Returns the configuration that a Pod has loaded. */
    const loadedConfig = async (pod?: string): Promise<string> =>
      (await ask<{ readonly yaml: string }>('status/config', pod)).yaml;
    const change = (body: object): Promise<unknown> =>
      drill.client.patch(ServiceMonitor, monitor, { type: 'merge', body });

    test('loads the ServiceMonitors that it selects', async () => {
      await eventually(
        async () => expect((await drill.client.get(Prometheus, key)).status?.availableReplicas).toBe(1),
        slow,
      );
      await eventually(async () => expect(await loadedConfig()).toContain('job_name: serviceMonitor/'), slow);
      const config = await loadedConfig();
      expect(config).toContain('job_name: serviceMonitor/default/web/0');
      expect(config).toContain('prometheus_replica: prometheus-sample-0');
      expect(config).toContain('scrape_interval: 1s');
      await eventually(
        async () =>
          expect(await ask('query?query=up')).toMatchObject({
            result: [{ metric: { service: 'prometheus-sample' }, value: [expect.anything(), '1'] }],
          }),
        slow,
      );
    });

    test('loads changes, and forgets a ServiceMonitor that it does not select any more', async () => {
      await change({ spec: { endpoints: [{ port: 'web', interval: '17s' }, { port: 'admin' }] } });
      await eventually(async () => {
        const config = await loadedConfig();
        expect(config).toContain('scrape_interval: 17s');
        expect(config).toContain('job_name: serviceMonitor/default/web/1');
      }, slow);
      await change({ metadata: { labels: { team: 'other' } } });
      await eventually(async () => expect(await loadedConfig()).not.toContain('serviceMonitor/'), slow);
      expect(await drill.log({ name: 'prometheus-sample-0', namespace }, 'config-reloader')).toContain(
        'reload: 200',
      );
    });

    test.runIf(isThorough)('is left alone while it is paused, and grows afterwards', async () => {
      const replicas = async (): Promise<number | undefined> =>
        (await drill.client.get(StatefulSet, { name: 'prometheus-sample', namespace })).spec?.replicas;
      const patch = (spec: object): Promise<unknown> =>
        drill.client.patch(Prometheus, key, { type: 'merge', body: { spec } });
      await patch({ paused: true, replicas: 2 });
      await eventually(async () =>
        expect((await drill.client.get(Prometheus, key)).status).toMatchObject({ paused: true }),
      );
      expect(await replicas()).toBe(1);
      await patch({ paused: false });
      await eventually(
        async () =>
          expect(await loadedConfig('prometheus-sample-1')).toContain(
            'prometheus_replica: prometheus-sample-1',
          ),
        slow,
      );
    });
  },
);
