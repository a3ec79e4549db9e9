import { StatefulSet } from '../../../src/sdk/k8s/generated/apps/v1.ts';
import { Namespace, Pod, Secret, Service, type ServicePort } from '../../../src/sdk/k8s/generated/core/v1.ts';
import { createTestApi, type TestApi } from '../../../src/testing/index.ts';
import { Prometheus, type PrometheusSpec } from '../../operators/prometheus/api/prometheus.ts';
import { ServiceMonitor, type ServiceMonitorSpec } from '../../operators/prometheus/api/service-monitor.ts';
import { prometheusController } from '../../operators/prometheus/prometheus-controller.ts';

export const namespace = 'default';
export const key = { name: 'sample', namespace };
/** Name of the objects that belong to the Prometheus. */
export const ownKey = { name: 'prometheus-sample', namespace };

type Labels = Readonly<Record<string, string>>;
/** Labels of the ServiceMonitors that the Prometheus selects. */
export const team: Labels = { team: 'web' };
const app: Labels = { app: 'web' };

interface ScrapeConfig {
  readonly job_name: string;
  readonly metrics_path: string;
  readonly static_configs: readonly { readonly targets: readonly string[]; readonly labels: object }[];
}

interface PodOptions {
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  readonly podIP?: string;
  /** Numbers of the ports of its container, by their names. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly labels?: Labels;
}

/** A namespace with a Prometheus, and with what it scrapes. */
export class PrometheusFixture implements AsyncDisposable {
  readonly api: TestApi;

  private constructor(api: TestApi) {
    this.api = api;
    api.add(prometheusController);
  }

  static async start(crds: readonly object[]): Promise<PrometheusFixture> {
    const kinds = [Prometheus, ServiceMonitor, StatefulSet, Service, Secret, Pod, Namespace];
    return new PrometheusFixture(await createTestApi({ kinds, crds }));
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.api[Symbol.asyncDispose]();
  }

  async create(spec: PrometheusSpec = {}, name = key.name): Promise<void> {
    const selector = { serviceMonitorSelector: { matchLabels: team } };
    await this.api.client.create(Prometheus, {
      metadata: { name, namespace },
      spec: { ...selector, ...spec },
    });
    await this.api.settle();
  }

  async change(spec: PrometheusSpec): Promise<void> {
    await this.api.client.patch(Prometheus, key, { type: 'merge', body: { spec } });
    await this.api.settle();
  }

  async relabel(kind: typeof ServiceMonitor | typeof Service, name: string, labels: Labels): Promise<void> {
    await this.api.client.patch(kind, { name, namespace }, { type: 'merge', body: { metadata: { labels } } });
    await this.api.settle();
  }

  async createMonitor(
    name: string,
    labels = team,
    spec: Partial<ServiceMonitorSpec> = {},
    where = namespace,
  ): Promise<void> {
    await this.api.client.create(ServiceMonitor, {
      metadata: { name, namespace: where, labels },
      spec: { endpoints: [{ port: 'web' }], matchLabels: app, ...spec },
    });
    await this.api.settle();
  }

  /** Creates a Service that the ServiceMonitors select. @param selector null for none */
  async createService(name: string, ports: ServicePort[], selector: Labels | null = app): Promise<void> {
    await this.api.client.create(Service, {
      metadata: { name, namespace, labels: app },
      spec: { clusterIP: 'None', ports, ...(selector === null ? {} : { selector }) },
    });
    await this.api.settle();
  }

  /** Creates a Pod that the Services select. */
  async createPod(
    name: string,
    { phase = 'Running', podIP, ports = {}, labels = app }: PodOptions,
  ): Promise<void> {
    const containerPorts = Object.entries(ports).map(([port, containerPort]) => ({
      name: port,
      containerPort,
    }));
    await this.api.client.create(Pod, {
      metadata: { name, namespace, labels },
      spec: { containers: [{ name: 'web', image: 'web', ports: containerPorts }] },
    });
    await this.api.client.applyStatus(Pod, { name, namespace }, { phase, podIP });
    await this.api.settle();
  }

  /** Reads the configuration of a Prometheus. */
  async config(name = ownKey.name) {
    const { data } = await this.api.client.get(Secret, { name, namespace });
    const text = Buffer.from(data?.['prometheus.yaml'] ?? '', 'base64').toString();
    return JSON.parse(text) as { readonly global: object; readonly scrape_configs: readonly ScrapeConfig[] };
  }

  async jobs(name?: string): Promise<readonly string[]> {
    return (await this.config(name)).scrape_configs.map(({ job_name }) => job_name);
  }

  /** Returns the targets of all Services. */
  async targets(): Promise<readonly (readonly string[])[]> {
    const { scrape_configs } = await this.config();
    return scrape_configs.flatMap((job) => job.static_configs.map((each) => each.targets));
  }

  async status() {
    return (await this.api.client.get(Prometheus, key)).status;
  }

  async condition(type: string) {
    return (await this.status())?.conditions?.find((each) => each.type === type);
  }
}
