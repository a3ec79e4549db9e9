import { randomBytes } from 'node:crypto';
import type { KubeObject, Resource } from '../../sdk/api/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../sdk/k8s/generated/admissionregistration/v1.ts';
import { ApiError, createClient, loadCluster, type KubeClient } from '../../sdk/kube/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import type { CrdFile } from '../manifest-files.ts';
import { freePort } from '../control-plane/ports.ts';
import {
  restoreConversion,
  serviceConversions,
  takeConversion,
  type TakenConversion,
} from './conversions.ts';
import { makeServingCertificate, type ServingCertificate } from './serving-certificate.ts';
import { waitUntilAsked } from './wait-until-asked.ts';
import { withWebhookUrls, type WebhookServer } from './with-webhook-urls.ts';

/** The webhooks that the API server of a control plane calls, and the address at which the operator serves them. */
export interface ControlPlaneWebhookOptions {
  /**
   * MutatingWebhookConfigurations and ValidatingWebhookConfigurations to install, as YAML or JSON files, or folders of files (not
   * recursive). Paths are relative to the working directory, such as `['config/webhook']`. In folders, other objects are skipped. Use `[]`
   * for an operator that has only conversion webhooks.
   */
  readonly paths: readonly string[];
  /** Port on which the operator will serve its webhooks. Default: a free port. */
  readonly port?: number;
  /** Address at which the API server reaches the operator: an IP address or a name. Default: `127.0.0.1`. */
  readonly host?: string;
}

/** Address and certificate with which the operator must serve its webhooks. Pass this object to `createManager({ webhooks })`. */
export interface ControlPlaneWebhooks {
  /** The address on which the operator must serve. */
  readonly host: string;
  /** The port on which the operator must serve. */
  readonly port: number;
  /**
   * The serving certificate, as files. The API server trusts the authority that issued it. Pass the folder of the files as
   * --webhook-cert-path.
   */
  readonly certificate: ServingCertificate;
}

/** The webhook configurations to install in a control plane, with the certificate for the operator. */
export interface PreparedWebhooks {
  readonly serving: ControlPlaneWebhooks;
  readonly server: WebhookServer;
  /** The webhook configurations, with URLs instead of references to Services. */
  readonly configurations: readonly PlacedObject[];
}

/**
 * Creates the serving certificate, and returns the webhook configurations with URLs in place of Services.
 *
 * @param folder folder in which the certificate is stored
 * @param read the configurations as they are in the files
 * @throws OpSdkError io/cannot-write
 */
export async function prepareWebhooks(
  folder: string,
  { host = '127.0.0.1', port }: ControlPlaneWebhookOptions,
  read: readonly PlacedObject[],
): Promise<PreparedWebhooks> {
  const { files, caCertificate } = await makeServingCertificate(folder, host);
  const server: WebhookServer = { host, port: port ?? (await freePort()), caCertificate };
  return {
    serving: { host, port: server.port, certificate: files },
    server,
    configurations: read.map(({ object, where }) => ({ object: withWebhookUrls(object, server), where })),
  };
}

/**
 * Installs webhook configurations, and resolves when the API server uses them. From then on, the operator must serve its webhooks.
 * @throws OpSdkError testenv/invalid-webhook with all configurations that the API server refuses, testenv/webhooks-not-asked
 */
export async function installWebhooks(
  kubeconfig: string,
  { configurations, server }: PreparedWebhooks,
  signal?: AbortSignal,
): Promise<void> {
  if (configurations.length === 0) return;
  await withAdmin(kubeconfig, async (client) => {
    // Install validating webhooks first. The API server calls mutating webhooks before validating ones, so mutating webhooks would block
    // the request that probes the validating ones.
    for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const) {
      const ofKind = configurations.filter(({ object }) => object.kind === kind);
      await applyConfigurations(client, ofKind, signal);
      if (ofKind.length > 0 && !(await waitUntilAsked(client, kind, server, { signal })))
        throw new OpSdkError({
          code: 'testenv/webhooks-not-asked',
          message: `the API server has not applied the installed ${kind}s within 10 s`,
          fix: ['run the test again'],
        });
    }
  });
}

async function applyConfigurations(
  client: KubeClient,
  configurations: readonly PlacedObject[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const findings = new FindingList();
  for (const { object, where } of configurations) {
    try {
      await client.apply(resourceOf(object), object, { signal });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `the API server refuses the webhook configuration: ${error.summary}`;
      findings.add({ code: 'testenv/invalid-webhook', message, where });
    }
  }
  findings.throwIfAny();
}

/**
 * The webhooks of a process that has joined the control plane of another process. Both processes may install the same webhooks, so the
 * configurations of this process get unique names. The CRD conversions that this process changes are restored by `uninstall`.
 */
export class JoinedWebhooks {
  readonly prepared: PreparedWebhooks;
  readonly #kubeconfig: string;
  readonly #taken: TakenConversion[] = [];

  private constructor(kubeconfig: string, prepared: PreparedWebhooks) {
    this.#kubeconfig = kubeconfig;
    this.prepared = prepared;
  }

  /**
   * Creates the certificate and the configurations for a process that joins a control plane.
   * @param kubeconfig kubeconfig of the administrator
   */
  static async prepare(
    kubeconfig: string,
    folder: string,
    options: ControlPlaneWebhookOptions,
    read: readonly PlacedObject[],
  ): Promise<JoinedWebhooks> {
    const id = randomBytes(5).toString('hex');
    const renamed = read.map(({ object, where }) => {
      const metadata = { ...object.metadata, name: `${object.metadata.name}-${id}` };
      return { object: { ...object, metadata }, where };
    });
    return new JoinedWebhooks(kubeconfig, await prepareWebhooks(folder, options, renamed));
  }

  /**
   * Redirects the conversion webhooks of existing CRDs to this process, because they may point to another server. Call this method before
   * the CRDs are applied.
   */
  async takeConversions(crds: readonly CrdFile[]): Promise<void> {
    const conversions = serviceConversions(crds.map(({ crd }) => crd));
    if (conversions.size === 0) return;
    await withAdmin(this.#kubeconfig, async (client) => {
      for (const [name, conversion] of conversions) {
        if (this.#taken.some((each) => each.name === name)) continue;
        const taken = await takeConversion(client, name, conversion, this.prepared.server, {});
        if (taken !== undefined) this.#taken.push(taken);
      }
    });
  }

  /**
   * Deletes the webhook configurations and restores the changed conversions.
   * @throws ApiError if a conversion could not be restored; thrown after everything else is done
   */
  async uninstall(): Promise<void> {
    await withAdmin(this.#kubeconfig, async (client) => {
      const restored = await Promise.allSettled(
        this.#taken.splice(0).map((taken) => restoreConversion(client, taken)),
      );
      for (const { object } of this.prepared.configurations)
        await client.delete(resourceOf(object), object.metadata).catch(() => undefined);
      for (const each of restored) if (each.status === 'rejected') throw each.reason;
    });
  }
}

function resourceOf({ kind }: { readonly kind: string }): Resource<KubeObject> {
  return kind === 'MutatingWebhookConfiguration'
    ? MutatingWebhookConfiguration
    : ValidatingWebhookConfiguration;
}

async function withAdmin<T>(kubeconfig: string, work: (client: KubeClient) => Promise<T>): Promise<T> {
  const cluster = await loadCluster({ kubeconfig });
  const client = createClient({ cluster, fieldManager: 'op-sdk-testing', onWarning: () => undefined });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
