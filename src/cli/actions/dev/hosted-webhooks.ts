import { join, resolve } from 'node:path';
import {
  LocalWebhooks,
  removeLeftovers,
  accountUser,
  bringAccess,
  OperatorIdentity,
  type OperatorAccess,
} from '../../../cluster/index.ts';
import type { KubeClient } from '../../../sdk/kube/index.ts';
import { asksService } from '../../../testing/index.ts';
import type { PlacedObject } from '../../../kubernetes/yaml/index.ts';
import type { CliContext } from '../../command.ts';
import type { ClusterOptions } from '../../flags/cluster-flags.ts';
import { guardCommand, packageRoot } from '../../package-info.ts';

interface HostedWebhooksOptions {
  /**
   * Client with the developer's credentials, which must permit writing webhook configurations. The caller must keep it open until the
   * `HostedWebhooks` object is disposed of.
   */
  readonly client: KubeClient;
  /** Flags that select the cluster of `client`. */
  readonly cluster: ClusterOptions;
  /** The name of the project. */
  readonly project: string;
  /** True if this command started the cluster and stops it at the end. The API server of such a cluster runs on this machine. */
  readonly isOwn: boolean;
  /**
   * Host name or address at which the API server reaches this machine; undefined if it cannot. Used only for a cluster that this command
   * did not start.
   */
  readonly host: string | undefined;
}

/** Flags and environment variables that an operator needs for its webhooks. */
interface WebhookSettings {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const nothing: WebhookSettings = { flags: [], env: {} };

/**
 * Returns true if the operator is to run without webhooks, or manages its webhook certificate itself. In either case, op-sdk does nothing
 * for the webhooks.
 * @param args the command-line flags of the operator
 */
export function leavesWebhooks(env: CliContext['env'], args: readonly string[]): boolean {
  return env['ENABLE_WEBHOOKS'] === 'false' || args.some((argument) => argument.startsWith('--webhook-'));
}

/**
 * Admission and conversion webhooks of an operator that runs on this machine. If the API server cannot reach this machine, the operator is
 * run without webhooks.
 */
export class HostedWebhooks implements AsyncDisposable {
  readonly #context: CliContext;
  /** Webhooks served on this machine. Undefined if the API server cannot reach this machine. */
  readonly #local: LocalWebhooks | undefined;
  #converts = false;
  #admits = false;
  #saidWithout = false;

  private constructor(context: CliContext, local: LocalWebhooks | undefined) {
    this.#context = context;
    this.#local = local;
  }

  static async open(
    context: CliContext,
    { client, cluster, project, isOwn, host }: HostedWebhooksOptions,
  ): Promise<HostedWebhooks> {
    const { cwd, env, report, signal } = context;
    const address = isOwn ? '127.0.0.1' : host;
    if (address === undefined) return new HostedWebhooks(context, undefined);
    const local = await LocalWebhooks.open({
      client,
      host: address,
      project: isOwn ? undefined : project,
      guard: {
        program: [join(packageRoot, 'bin', 'op-sdk.js'), guardCommand],
        kubeconfig: cluster.kubeconfig === undefined ? undefined : resolve(cwd, cluster.kubeconfig),
        context: cluster.context,
        env,
        onProblem: (text) => report.warned(text),
      },
      signal,
      onOutcome: ({ action }, { title }) => {
        if (action !== 'unchanged') report.step(`${title} ${action}`);
      },
      onWarning: (warning) => report.warn(warning),
    });
    return new HostedWebhooks(context, local);
  }

  /** True if the API server can reach this machine and therefore calls the webhooks on it. */
  get isReached(): boolean {
    return this.#local !== undefined;
  }

  /**
   * Returns the flags and environment variables that the operator's process needs for its webhooks; none if no webhooks have been read from
   * the manifests.
   */
  settings(): WebhookSettings {
    if (!this.#converts && !this.#admits) return nothing;
    // Requests reach the operator directly and not through a Service, so the operator need not delay its shutdown.
    if (this.#local !== undefined) return { flags: this.#local.flags, env: { WEBHOOK_SHUTDOWN_DELAY: '0s' } };
    this.#sayWithout();
    return { flags: [], env: { ENABLE_WEBHOOKS: 'false' } };
  }

  /**
   * Applies CustomResourceDefinitions and directs their conversion webhooks to this machine.
   * @param apply applies the definitions; its errors are passed on
   */
  async bringDefinitions(
    objects: readonly PlacedObject[],
    apply: (objects: readonly PlacedObject[]) => Promise<void>,
  ): Promise<void> {
    this.#converts = objects.some(({ object }) => asksService(object));
    if (this.#local === undefined || !this.#converts) return apply(objects);
    await this.#local.bringDefinitions(objects, apply);
  }

  /**
   * Directs the conversion webhooks of CustomResourceDefinitions that exist on the cluster to this machine.
   * @returns the definitions in the form that they must have while the operator runs on this machine
   * @throws OpSdkError `cluster/webhooks-exist`
   */
  async takeConversions(objects: readonly PlacedObject[]): Promise<readonly PlacedObject[]> {
    this.#converts = objects.some(({ object }) => asksService(object));
    if (this.#local === undefined || !this.#converts) return objects;
    await this.#local.takeConversions(objects);
    return this.#local.local(objects);
  }

  /** Applies the webhook configurations of the project to the cluster. @throws OpSdkError `cluster/webhooks-exist`, … */
  async bringConfigurations(objects: readonly PlacedObject[]): Promise<void> {
    this.#admits = objects.length > 0;
    if (this.#local === undefined) return;
    if (!(await this.#local.bringConfigurations(objects)))
      this.#context.report.warned(
        'it is not known whether the API server goes by the webhook configurations yet',
      );
  }

  /** Waits until the operator serves its webhooks. Until then, the API server would reject requests that call these webhooks. */
  async waitUntilServed(runs: () => boolean): Promise<void> {
    if (this.#converts || this.#admits) await this.#local?.waitUntilServed(runs, this.#context.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const problem of (await this.#local?.close()) ?? []) this.#context.report.warned(problem);
  }

  #sayWithout(): void {
    if (this.#saidWithout) return;
    this.#saidWithout = true;
    this.#context.report.info(
      'the operator runs without its webhooks (ENABLE_WEBHOOKS=false), as this cluster may not reach this machine: --webhook-host names the address by which it does',
    );
  }
}

/**
 * Removes the webhooks that an earlier, killed command of the project left on a cluster that is still running. Reports the removed
 * webhooks.
 * @throws ApiError
 */
export async function removeWebhookLeftovers(
  { report, signal }: CliContext,
  client: KubeClient,
  project: string,
): Promise<void> {
  const { done, problems } = await removeLeftovers(client, project, signal);
  for (const each of done) report.step(each);
  for (const each of problems) report.warned(each);
}

/** ServiceAccount under which an operator runs on this machine, with a method that applies its roles. */
export interface DevAccount extends AsyncDisposable {
  /** Kubeconfig file for the operator. */
  readonly kubeconfig: string;
  /**
   * Environment for the operator. WATCH_NAMESPACE and the variables RELATED_IMAGE_… that are not set here get their values from the
   * operator's Deployment once the Deployment has been read.
   */
  readonly env: NodeJS.ProcessEnv;
  /** Applies the ServiceAccount and its roles to the cluster. @throws OpSdkError */
  readonly bring: (access: OperatorAccess) => Promise<void>;
}

/**
 * Opens the account under which the operator runs.
 * @param client client with the developer's credentials, which must permit writing roles and requesting tokens
 */
export async function openAccount(
  { report, signal, env }: CliContext,
  client: KubeClient,
): Promise<DevAccount> {
  const identity = await OperatorIdentity.open({
    client,
    onProblem: ({ message }) => report.warned(`the operator's token could not be renewed: ${message}`),
  });
  let known: string | undefined;
  const ofOperator = { ...env };
  return {
    kubeconfig: identity.kubeconfig,
    env: ofOperator,
    bring: async (access) => {
      await bringAccess({
        client,
        access,
        identity,
        signal,
        onOutcome: ({ action }, { title }) => {
          if (action === 'configured') report.step(`${title} ${action}`);
        },
        onWarning: (warning) => report.warn(warning),
      });
      const namespace = env['WATCH_NAMESPACE'] ?? access.watchNamespace;
      if (namespace !== undefined) ofOperator['WATCH_NAMESPACE'] = namespace;
      for (const [name, image] of Object.entries(access.relatedImages ?? {}))
        ofOperator[name] = env[name] ?? image;
      const user = accountUser(access.account);
      if (user !== known) report.info(`the operator runs as ${report.paint('strong', user)}`);
      known = user;
    },
    [Symbol.asyncDispose]: () => identity.close(),
  };
}
