import { connect } from 'node:net';
import { uptime } from 'node:os';
import type { KubeObject } from '../../sdk/api/index.ts';
import { FindingList, OpSdkError } from '../../base/errors/index.ts';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '../../sdk/k8s/generated/admissionregistration/v1.ts';
import type { CustomResourceDefinition } from '../../sdk/k8s/generated/apiextensions/v1.ts';
import { type DeleteOptions, type KubeClient, isConflict, isNotFound } from '../../sdk/kube/index.ts';
import {
  leftConversion,
  restoringCommand,
  localLabel,
  localOwner,
  type LocalMarks,
} from '../../testing/index.ts';
import { jsonListOf, jsonMapOf, jsonTextOf, isJsonMap } from '../../base/util/json-map.ts';
import type { PlacedObject } from '../../kubernetes/yaml/index.ts';
import { fateOf, ownIdentity, type ProcessIdentity } from '../../base/util/process-identity.ts';

/** Maximum time for a server that a webhook configuration names to accept a connection, in milliseconds. */
const answerTimeout = 2_000;

const endOther = 'end the other command, or run this one with ENABLE_WEBHOOKS=false';

/**
 * Makes sure that the webhooks of a project are not already in use by a deployed operator or another command. The webhook configurations of
 * a deployed operator have other names, which come from its kustomization, but the webhooks inside have the same names. Configurations that
 * a killed run has left are deleted.
 *
 * @param isOurs returns true if this process wrote a configuration, and the configuration still calls this process
 * @throws OpSdkError `cluster/webhooks-exist` for each configuration of others; ApiError
 */
export async function refuseRivals(
  client: KubeClient,
  wanted: readonly PlacedObject[],
  isOurs: (live: MutatingWebhookConfiguration) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  const findings = new FindingList();
  for (const resource of [MutatingWebhookConfiguration, ValidatingWebhookConfiguration]) {
    const ofKind = wanted.filter(({ object }) => object.kind === resource.kind);
    if (ofKind.length === 0) continue;
    const { items } = await client.list<typeof MutatingWebhookConfiguration>(
      resource as typeof MutatingWebhookConfiguration,
      { signal },
    );
    for (const live of items) {
      const { name } = live.metadata;
      if (isOurs(live)) continue;
      const rival = ofKind.find(
        ({ object }) =>
          object.metadata.name === name || namesOf(object).some((each) => namesOf(live).includes(each)),
      );
      if (rival === undefined) continue;
      const use = isLocal(live) ? await useOf(live, urlsOf(live), signal) : undefined;
      if (use === 'left') {
        await client.delete(resource, { name }, { preconditions: asSeen(live), signal });
        continue;
      }
      const host = use === 'unknown' ? hostText(live) : '';
      findings.add({
        code: 'cluster/webhooks-exist',
        message: `the ${resource.kind} ${name} already exists on the cluster; it belongs to ${use !== undefined ? `another op-sdk run or dev${host}` : 'a deployed operator'}`,
        where: rival.where,
        fix:
          use !== undefined
            ? [endOther, `if no such command runs: kubectl delete ${resource.plural} ${name}`]
            : [
                'run `op-sdk undeploy` first',
                'or run the operator without its webhooks: ENABLE_WEBHOOKS=false',
              ],
      });
    }
  }
  findings.throwIfAny();
}

/**
 * Makes sure that the conversion of a definition was not changed by another op-sdk command that runs, or may still run.
 * @throws OpSdkError `cluster/webhooks-exist`
 */
export async function refuseTaken(live: CustomResourceDefinition, signal?: AbortSignal): Promise<void> {
  const taken = leftConversion(live);
  if (taken === undefined) return;
  const use = await useOf(live, [taken.url], signal);
  if (use === 'left') return;
  const host = use === 'unknown' ? hostText(live) : '';
  throw new OpSdkError({
    code: 'cluster/webhooks-exist',
    message: `conversion of ${taken.name} is served by another op-sdk run or dev${host}, at ${taken.url}`,
    where: { object: `CustomResourceDefinition ${taken.name}` },
    fix: [endOther, `if no such command runs: ${restoringCommand(live, taken)}`],
  });
}

function namesOf(configuration: object): readonly string[] {
  const { webhooks } = configuration as { readonly webhooks?: unknown };
  return jsonListOf(webhooks).map((webhook) => jsonTextOf(jsonMapOf(webhook)['name']));
}

/**
 * Returns true if a webhook configuration calls an operator outside of the cluster. The label of op-sdk alone does not prove this, because
 * a deployed operator may have replaced the configuration but kept the label. Therefore all webhooks must have URLs.
 */
export function isLocal({ metadata, webhooks = [] }: MutatingWebhookConfiguration): boolean {
  if (metadata.labels?.[localLabel] === undefined) return false;
  return webhooks.every(({ clientConfig }) => clientConfig.url !== undefined);
}

/** Returns preconditions for the deletion of an object. If the object was written since it was read, the deletion fails. */
export function asSeen({ metadata: { uid, resourceVersion } }: KubeObject): DeleteOptions['preconditions'] {
  return { uid, resourceVersion };
}

/** The URLs that a configuration names. */
export function urlsOf({ webhooks = [] }: MutatingWebhookConfiguration): readonly string[] {
  return webhooks.flatMap(({ clientConfig }) => clientConfig.url ?? []);
}

/**
 * Determines if an object is still in use. The object makes the API server call an operator outside of the cluster.
 * @param urls URLs of the operator in the object
 * @returns `used` if the process that wrote the object runs, or a server accepts connections at the URLs; `left` if that process has ended;
 * `unknown` if the state of that process cannot be determined from this machine, and no server accepts connections at the URLs
 */
export async function useOf(
  { metadata }: KubeObject,
  urls: readonly string[],
  signal?: AbortSignal,
): Promise<'used' | 'left' | 'unknown'> {
  const { fate } = ownerOf(metadata.annotations);
  if (fate === 'dead') return 'left';
  return fate === 'alive' || (await isServed(urls, signal)) ? 'used' : 'unknown';
}

/** Returns the host of the process that wrote an object, as part of a message: ` on <host>`. Returns '' if the host is unknown. */
export function hostText({ metadata }: KubeObject): string {
  const { host } = ownerOf(metadata.annotations);
  return host === undefined ? '' : ` on ${host}`;
}

/** Returns true if a server accepts connections at one of these URLs. */
async function isServed(urls: readonly string[], signal?: AbortSignal): Promise<boolean> {
  const origins = new Map(urls.map((text) => new URL(text)).map((url) => [url.host, url]));
  for (const { hostname, port } of origins.values())
    if (await answersAt(hostname.replace(/^\[|\]$/g, ''), Number(port || 443), signal)) return true;
  return false;
}

/** Resolves to true if a server accepts connections at this address within two seconds. @throws the reason of the signal */
export function answersAt(host: string, port: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const socket = connect({ host, port, timeout: answerTimeout, ...(signal && { signal }) });
    const end = (answered: boolean) => (): void => {
      socket.destroy();
      if (signal?.aborted === true) reject(signal.reason as Error);
      else resolve(answered);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

/** Process that wrote an object on the cluster, as determined from the annotations of the object. */
interface LocalOwner {
  /** Name of the machine or container in which the process ran; undefined if the annotations do not contain it. */
  readonly host: string | undefined;
  /**
   * State of the process. It is `unknown` if the process ran on another machine, in another container, or before the last start of this
   * machine.
   */
  readonly fate: 'alive' | 'dead' | 'unknown';
}

/** Annotation value that identifies the process that wrote an object. */
interface Owner extends ProcessIdentity {
  /** Time at which the process wrote the object, in milliseconds since 1970. */
  readonly at: number;
  /** Time at which the machine of the process was started, in seconds since 1970. It changes slightly if the clock is corrected. */
  readonly booted: number;
}

/** Maximum difference, in seconds, between two boot times of the same start of a machine. A corrected clock moves the boot time. */
const clockTolerance = 10;

/** Returns the marks for objects that this process writes for a project. */
export function marksOf(project: string): LocalMarks {
  return { project, owner: JSON.stringify(ownMark()) };
}

/** Determines from the annotations of an object which process wrote the object. */
export function ownerOf(annotations: Readonly<Record<string, string>> | undefined): LocalOwner {
  const identity = identityIn(annotations?.[localOwner]);
  if (identity === undefined) return { host: undefined, fate: 'unknown' };
  return { host: identity.host, fate: isOfThisBoot(identity) ? fateOf(identity, identity.at) : 'unknown' };
}

function ownMark(): Owner {
  return { ...ownIdentity(), at: Date.now(), booted: Math.round(Date.now() / 1000 - uptime()) };
}

/**
 * Returns true if a process was started on this machine since the last boot of the machine. This must be checked, because many machines
 * share a cluster and some have the same name (`ubuntu`, `MacBook-Pro.local`). A process id that is unused here may be in use on another
 * machine. If the system does not have a boot id, the boot times are compared.
 */
function isOfThisBoot({ boot, booted }: Owner): boolean {
  const here = ownMark();
  if (boot !== undefined || here.boot !== undefined) return boot === here.boot;
  return Math.abs(booted - here.booted) <= clockTolerance;
}

function identityIn(text: string | undefined): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    // The annotation is invalid, because somebody has edited it. It does not identify a process.
    return undefined;
  }
  if (!isJsonMap(value)) return undefined;
  const { pid, host, at, booted } = value;
  if (typeof pid !== 'number' || typeof host !== 'string') return undefined;
  if (typeof at !== 'number' || typeof booted !== 'number') return undefined;
  const texts = ['started', 'boot', 'pids'].flatMap((key) => {
    const each = value[key];
    return typeof each === 'string' ? [[key, each] as const] : [];
  });
  return { pid, host, at, booted, ...Object.fromEntries(texts) };
}

/** Names an object that makes the API server call this machine. */
export interface CallerName {
  readonly kind: string;
  readonly name: string;
}

/**
 * Returns true if a webhook configuration is still in the state that its owner wrote. A deployment may have replaced it, because the
 * deployment uses the same name for its own configuration.
 */
export function isOwnedBy(live: MutatingWebhookConfiguration, owner: string | undefined): boolean {
  return isLocal(live) && live.metadata.annotations?.[localOwner] === owner;
}

/**
 * Deletes a configuration of webhooks, unless somebody else has written it since.
 *
 * @param isOurs returns true if the configuration, as it is on the cluster, may be deleted
 * @returns true if the configuration existed and was deleted
 * @throws ApiError
 */
export async function deleteConfiguration(
  client: KubeClient,
  { kind, name }: CallerName,
  isOurs: (live: MutatingWebhookConfiguration) => boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const resource = (
    kind === 'MutatingWebhookConfiguration' ? MutatingWebhookConfiguration : ValidatingWebhookConfiguration
  ) as typeof MutatingWebhookConfiguration;
  for (;;) {
    const live = await client.find(resource, { name }, { signal });
    if (live === undefined || !isOurs(live)) return false;
    try {
      await client.delete(resource, { name }, { preconditions: asSeen(live), signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      // The configuration was written after it was read, so read it and check its owner again.
      if (!isConflict(error)) throw error;
    }
  }
}
