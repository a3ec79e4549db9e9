import { join } from 'node:path';
import { Alertmanager } from '../../../../examples/prometheus-operator/src/api/monitoring/v1/alertmanager.ts';
import {
  Prometheus,
  type PrometheusSpec,
} from '../../../../examples/prometheus-operator/src/api/monitoring/v1/prometheus.ts';
import {
  alertmanagerVersion,
  ensureAlertmanager,
  ensurePrometheus,
  prometheusVersion,
} from '../../../../scripts/lib/test-programs.mjs';
import { Deployment } from '../../../../src/sdk/k8s/generated/apps/v1.ts';
import { Secret } from '../../../../src/sdk/k8s/generated/core/v1.ts';
import type { KubeClient } from '../../../../src/sdk/kube/index.ts';
import type { ContainerProcess, ContainerToRun } from '../../../../src/testing/index.ts';
import { startOperator, type OperatorProcess } from '../../../helpers/operator-process.ts';
import { grantDiscovery } from '../../../helpers/prometheus/discovery-rights.ts';
import { PrometheusApi } from '../../../helpers/prometheus/prometheus-api.ts';
import { repositoryRoot } from '../../../helpers/source-files.ts';
import { bundleExample, type OperatorProgram } from '../operator-program.ts';
import { takeRights, type OperatorRights } from '../operator-rights.ts';
import { drillAudit, startDrillCluster, type DrillCluster } from '../start-drill.ts';
import { serveEndpoints, type EndpointsDiscovery } from './endpoints-discovery.ts';

const project = join(repositoryRoot, 'examples/prometheus-operator');
const reloader = join(repositoryRoot, 'test/helpers/prometheus/config-reloader.mjs');
const transform = join(import.meta.dirname, 'config-as-process.mjs');

/** Namespace of the objects of a drill. */
export const namespace = 'default';
/** ServiceAccount of Prometheus. */
const account = 'prometheus';

/** An address that all processes of this machine share. */
const shared = '--web.listen-address=127.0.0.1:9090';

interface DrillParts {
  readonly cluster: DrillCluster;
  readonly rights: OperatorRights;
  readonly program: OperatorProgram;
  readonly discovery: EndpointsDiscovery;
}

/** The Prometheus operator as a program with the rights of its role, and a node on which Prometheus and Alertmanager are processes. */
export class PrometheusDrill implements AsyncDisposable {
  readonly #parts: DrillParts;
  #operator: OperatorProcess | undefined;
  #output = '';

  private constructor(parts: DrillParts) {
    this.#parts = parts;
  }

  /**
   * Needs no root.
   * @throws ProgramsUnavailable if this machine cannot obtain Prometheus or Alertmanager
   */
  static async start(): Promise<PrometheusDrill> {
    const prometheus = join(await ensurePrometheus(), 'prometheus');
    const alertmanager = join(await ensureAlertmanager(), 'alertmanager');
    const program = await bundleExample('prometheus-operator');
    let endpoints = '';
    const cluster = await startDrillCluster({
      operator: { project },
      audit: drillAudit,
      runProcesses: {
        prometheus: ({ args }) => ({ file: prometheus, args: args.filter((arg) => arg !== shared) }),
        alertmanager: ({ args }) => ({ file: alertmanager, args }),
        'prometheus-config-reloader': (container) => reloaderProcess(container, endpoints),
      },
    });
    const discovery = await serveEndpoints(cluster.client);
    endpoints = discovery.url;
    const rights = await takeRights(cluster.plane, cluster.client, project);
    const drill = new PrometheusDrill({ cluster, rights, program, discovery });
    await grantDiscovery(cluster.client, { name: account, namespace }, [namespace]);
    await drill.startOperator();
    return drill;
  }

  get client(): KubeClient {
    return this.#parts.cluster.client;
  }

  get rights(): OperatorRights {
    return this.#parts.rights;
  }

  /** All that the operator has written, in all its processes. */
  get output(): string {
    return this.#output + (this.#operator?.output() ?? '');
  }

  async startOperator(): Promise<void> {
    const { cluster, program, rights } = this.#parts;
    const { nodeFlags, env } = cluster.plane.workloads.programSettings;
    this.#output = this.output;
    this.#operator = await startOperator(
      program.folder,
      rights.kubeconfig,
      [],
      // The API server of a drill calls no webhooks.
      { ...env, ENABLE_WEBHOOKS: 'false' },
      [process.execPath, ...nodeFlags],
    );
  }

  /** Kills its process. */
  async killOperator(): Promise<void> {
    this.#operator?.process.kill('SIGKILL');
    await this.#operator?.stop();
  }

  /** Returns how often the controller of Prometheuses has reconciled, in the process that runs now. */
  async reconciles(): Promise<number> {
    const text = await (await fetch(`${this.#operator?.metrics}/metrics`)).text();
    const counts = text.matchAll(/^controller_runtime_reconcile_total\{controller="prometheus".*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /** Returns the API of the Prometheus in a Pod. */
  prometheus(pod: string): PrometheusApi {
    return new PrometheusApi(`http://${this.addressOf(pod)}:9090`);
  }

  /** @param service that governs the Pod */
  addressOf(pod: string, service = 'prometheus-sample'): string {
    return this.#parts.cluster.plane.workloads.resolve(`${pod}.${service}.${namespace}.svc`);
  }

  /** Creates a Prometheus of the version of the tests, which scrapes and evaluates each second. */
  async createPrometheus(name: string, spec: PrometheusSpec): Promise<void> {
    const interval = { scrapeInterval: '1s', evaluationInterval: '1s' };
    await this.client.create(Prometheus, {
      metadata: { name, namespace },
      spec: { version: prometheusVersion, serviceAccountName: account, ...interval, ...spec },
    });
  }

  /** Creates an Alertmanager that notifies a webhook of all alerts at once. */
  async createAlertmanager(name: string, webhook: string): Promise<void> {
    const config = {
      route: { receiver: 'webhook', group_wait: '0s', group_interval: '1s' },
      receivers: [{ name: 'webhook', webhook_configs: [{ url: webhook }] }],
    };
    await this.client.create(Secret, {
      metadata: { name: `alertmanager-${name}`, namespace },
      stringData: { 'alertmanager.yaml': JSON.stringify(config) },
    });
    await this.client.create(Alertmanager, {
      metadata: { name, namespace },
      spec: { version: alertmanagerVersion },
    });
  }

  /** Creates Pods with the label `app` and a port `http`. They pretend to run: nobody answers at their addresses. */
  async createPods(app: string, replicas: number): Promise<void> {
    const labels = { app };
    await this.client.create(Deployment, {
      metadata: { name: app, namespace },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: app,
                image: 'registry.example.com/silent:v1',
                ports: [{ name: 'http', containerPort: 80 }],
              },
            ],
          },
        },
      },
    });
  }

  log(pod: { readonly name: string; readonly namespace: string }, container: string): Promise<string> {
    return this.#parts.cluster.log(pod, container);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { cluster, rights, program, discovery } = this.#parts;
    await this.#operator?.stop();
    await rights[Symbol.asyncDispose]();
    await cluster.end();
    await discovery[Symbol.asyncDispose]();
    await program.remove();
  }
}

function reloaderProcess({ args, mounts }: ContainerToRun, endpoints: string): ContainerProcess {
  return {
    file: process.execPath,
    args: [reloader, `--transform=${transform}`, ...args],
    env: { PROCESS_MOUNTS: JSON.stringify(mounts), PROCESS_ENDPOINTS: endpoints },
  };
}
