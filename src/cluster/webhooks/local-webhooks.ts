import { messageOf } from '../../base/errors/index.ts';
import { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import type { KubeClient } from '../../sdk/kube/index.ts';
import { poll } from '../../sdk/net/index.ts';
import { guardedFolder, type GuardedFolder } from '../../base/process/guarded-folder.ts';
import {
  freePort,
  restoreConversion,
  serviceConversions,
  takeConversion,
  type TakenConversion,
  makeServingCertificate,
  waitUntilAsked,
  localLabel,
  localOwner,
  type LocalMarks,
  asksService,
  withWebhookUrls,
  type WebhookServer,
} from '../../testing/index.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { applyObjects, type ApplyRequest } from '../apply/apply-objects.ts';
import { withoutConversions } from '../apply/installable-crds.ts';
import {
  answersAt,
  refuseRivals,
  refuseTaken,
  marksOf,
  deleteConfiguration,
  isOwnedBy,
} from './other-configurations.ts';
import { WebhookGuard, type GuardSettings } from './webhook-guard.ts';

interface LocalWebhooksOptions extends Pick<ApplyRequest, 'signal' | 'onOutcome' | 'onWarning'> {
  /**
   * Client that may write webhook configurations and CustomResourceDefinitions. It is used until `close` has ended, so it must stay open
   * until then.
   */
  readonly client: KubeClient;
  /** Host at which the API server reaches this machine: an IP address or a name. */
  readonly host: string;
  /**
   * Name of the project, which is the prefix of the names of its webhook configurations on the cluster. At the end, these configurations
   * are removed, and conversions are restored. Undefined for a cluster that this command itself stops at the end, so that a cleanup is not
   * needed.
   */
  readonly project?: string | undefined;
  /**
   * Settings of the guard process, which cleans up if this process is killed. Default: no guard; in this case, the next command of the
   * project cleans up.
   */
  readonly guard?: GuardSettings | undefined;
}

/** Maximum time for each request of `close`, in milliseconds. It is short, as the user waits for it. */
const closeTimeout = 10_000;

/** Maximum time for which a newly started operator is awaited until it serves its webhooks, in milliseconds. */
const serveTimeout = 10_000;

/** Connects the API server of a cluster with the webhooks of one project whose operator runs on this machine. */
export class LocalWebhooks {
  /** Command-line flags with which the operator must be started. */
  readonly flags: readonly string[];
  readonly #options: LocalWebhooksOptions;
  readonly #folder: GuardedFolder;
  readonly #server: WebhookServer;
  readonly #marks: LocalMarks | undefined;
  readonly #guard: WebhookGuard | undefined;
  #taken: readonly TakenConversion[] = [];
  #configurations: readonly PlacedObject[] = [];

  private constructor(options: LocalWebhooksOptions, folder: GuardedFolder, server: WebhookServer) {
    this.#options = options;
    this.#folder = folder;
    this.#server = server;
    const { client, guard, project } = options;
    this.#marks = project === undefined ? undefined : marksOf(project);
    if (guard !== undefined && this.#marks !== undefined)
      this.#guard = new WebhookGuard(guard, { ...this.#marks, server: client.connection.cluster.server });
    this.flags = [`--webhook-port=${server.port}`, `--webhook-cert-path=${folder.path}`];
  }

  /** Creates the certificate of the webhook server. The caller must `close` the result in the end. @throws OpSdkError io/cannot-write */
  static async open(options: LocalWebhooksOptions): Promise<LocalWebhooks> {
    const { host } = options;
    const folder = await guardedFolder('op-sdk-webhooks-');
    const { caCertificate } = await makeServingCertificate(folder.path, host);
    return new LocalWebhooks(options, folder, { host, port: await freePort(), caCertificate });
  }

  /**
   * Converts objects to the form that they have on the cluster while the operator runs on this machine: their webhooks have URLs of this
   * machine.
   */
  local(objects: readonly PlacedObject[]): readonly PlacedObject[] {
    return objects.map(({ object, where }) => ({ object: withWebhookUrls(object, this.#server), where }));
  }

  /**
   * Changes the conversions of CustomResourceDefinitions on the cluster, so that the API server calls the conversion webhook on this
   * machine.
   * @throws OpSdkError `cluster/webhooks-exist`; ApiError
   */
  async takeConversions(objects: readonly PlacedObject[]): Promise<void> {
    const { client, signal } = this.#options;
    const marks = this.#marks;
    // On a cluster that this command started, this command has applied all definitions with the URL of this machine, so they do not need a
    // change.
    if (marks === undefined) return;
    for (const [name, conversion] of serviceConversions(objects.map(({ object }) => object))) {
      if (this.#taken.some((each) => each.name === name)) continue;
      this.#guard?.protect({ kind: 'CustomResourceDefinition', name });
      const check = (live: CustomResourceDefinition): Promise<void> => refuseTaken(live, signal);
      const taken = await takeConversion(client, name, conversion, this.#server, { signal, marks, check });
      if (taken !== undefined) this.#taken = [...this.#taken, taken];
    }
  }

  /**
   * Applies CustomResourceDefinitions. If a definition has a conversion webhook, the conversion gets the URL of this machine.
   * @param apply applies the given definitions. Its errors are passed on
   */
  async bringDefinitions(
    objects: readonly PlacedObject[],
    apply: (objects: readonly PlacedObject[]) => Promise<void>,
  ): Promise<void> {
    if (this.#marks !== undefined) {
      const absent = await this.#absentDefinitions(objects);
      // First create absent definitions as `op-sdk install` does. The objects on the cluster then record the state to restore, even if this
      // process is killed.
      if (absent.length > 0) await apply(withoutConversions(absent));
      await this.takeConversions(objects);
    }
    await apply(this.local(objects));
  }

  /** Returns the definitions with a conversion webhook that do not exist on the cluster. */
  async #absentDefinitions(objects: readonly PlacedObject[]): Promise<readonly PlacedObject[]> {
    const { client, signal } = this.#options;
    const absent: PlacedObject[] = [];
    for (const each of objects) {
      const { name } = each.object.metadata;
      if (!asksService(each.object)) continue;
      if ((await client.find(CustomResourceDefinition, { name }, { signal })) !== undefined) continue;
      absent.push(each);
      this.#taken = this.#taken.filter((taken) => taken.name !== name);
    }
    return absent;
  }

  /**
   * Applies webhook configurations with the URL of this machine, and deletes configurations of earlier calls that are not among the given
   * objects.
   *
   * @returns false if it is unknown whether the API server already uses the configurations
   * @throws OpSdkError with all findings: `cluster/webhooks-exist` before anything is written, `cluster/forbidden`, …
   */
  async bringConfigurations(objects: readonly PlacedObject[]): Promise<boolean> {
    const { client, project, signal } = this.#options;
    const wanted = this.local(objects).map((each) => named(each, this.#marks));
    const before = this.#configurations;
    if (project !== undefined)
      await refuseRivals(client, wanted, (live) => isOwnedBy(live, this.#marks?.owner), signal);
    if (wanted.length === 0 && before.length === 0) return true;
    // Record the configurations before they are applied. If the server refuses some of them, the others are then still removed at the end.
    this.#configurations = [
      ...new Map([...before, ...wanted].map((each) => [identity(each), each])).values(),
    ];
    for (const { object } of wanted) this.#guard?.protect({ kind: object.kind, name: object.metadata.name });
    await applyObjects({ ...this.#options, objects: wanted });
    const kept = new Set(wanted.map(identity));
    for (const each of before) if (!kept.has(identity(each))) await this.#delete(each, signal);
    this.#configurations = wanted;
    let known = true;
    for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const) {
      if (!wanted.some(({ object }) => object.kind === kind)) continue;
      known = (await waitUntilAsked(client, kind, this.#server, { signal })) && known;
    }
    return known;
  }

  /**
   * Waits until the operator accepts connections.
   * @param runs returns true while the operator runs. The wait ends when it returns false
   */
  async waitUntilServed(runs: () => boolean, signal?: AbortSignal): Promise<void> {
    const look = async (): Promise<true | undefined> =>
      !runs() || (await answersAt('127.0.0.1', this.#server.port)) ? true : undefined;
    await poll(look, { timeout: serveTimeout, interval: 50, signal });
  }

  /**
   * Removes the webhook configurations from the cluster, restores conversions, and removes the certificate.
   * @returns messages for people about everything that could not be restored or removed
   */
  async close(): Promise<readonly string[]> {
    const problems: string[] = [];
    const attempt = async (what: string, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> => {
      try {
        await work(AbortSignal.timeout(closeTimeout));
      } catch (error) {
        problems.push(`${what}: ${messageOf(error)}`);
      }
    };
    const { client, project } = this.#options;
    if (project !== undefined) {
      for (const each of this.#configurations)
        await attempt(`${identity(each)} is left on the cluster`, (signal) => this.#delete(each, signal));
      for (const taken of this.#taken)
        await attempt(`the conversion of ${taken.name} is left as it is`, (signal) =>
          restoreConversion(client, taken, signal),
        );
    }
    // Objects that could not be removed are already reported, and stay on the cluster, so the guard is not needed any more.
    await this.#guard?.dismiss();
    await this.#folder.remove();
    return problems;
  }

  /** Deletes a webhook configuration, unless somebody else has written it since this process wrote it. */
  async #delete({ object }: PlacedObject, signal: AbortSignal | undefined): Promise<void> {
    const caller = { kind: object.kind, name: object.metadata.name };
    const owner = this.#marks?.owner;
    const isOurs = (live: Parameters<typeof isOwnedBy>[0]): boolean =>
      owner === undefined || isOwnedBy(live, owner);
    await deleteConfiguration(this.#options.client, caller, isOurs, signal);
  }
}

/**
 * Prefixes the name of a webhook configuration with the name of the project, because configurations of two projects on one cluster may have
 * the same name.
 */
function named({ object, where }: PlacedObject, marks: LocalMarks | undefined): PlacedObject {
  if (marks === undefined) return { object, where };
  const { metadata } = object;
  const name = `${marks.project}-${metadata.name}`;
  const labels = { ...metadata.labels, [localLabel]: marks.project };
  const annotations = { ...metadata.annotations, [localOwner]: marks.owner };
  return { object: { ...object, metadata: { ...metadata, name, labels, annotations } }, where };
}

function identity({ object }: PlacedObject): string {
  return `${object.kind} ${object.metadata.name}`;
}
