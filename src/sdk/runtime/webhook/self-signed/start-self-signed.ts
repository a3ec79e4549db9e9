import { OpSdkError, messageOf } from '../../../../base/errors/index.ts';
import { durationText } from '../../../../base/util/duration-text.ts';
import type { WatchedCertificate } from '../../certificate/index.ts';
import { durationMs } from '../../duration.ts';
import type { KubeObject, Resource } from '../../../api/index.ts';
import { Secret } from '../../../k8s/generated/core/v1.ts';
import { isAlreadyExists, isConflict, type Client } from '../../../kube/index.ts';
import { waitFor } from '../../../net/index.ts';
import type { KeyPair } from '../../../x509/certificate-authority.ts';
import type { RunReflector } from '../../cache/index.ts';
import type { Logger } from '../../create-logger.ts';
import { RepeatedStep, watchObject, type Seen } from '../kept-object.ts';
import {
  defaultLifetimes,
  type Lifetimes,
  type SelfSignedOptions,
  lookEvery,
  type SelfSignedSettings,
} from './settings.ts';
import {
  isFor,
  planCertificates,
  fromSecretData,
  toSecretData,
  trustedBy,
  type WebhookCertificates,
  missingTrust,
  trustPart,
  trusts,
  trustTargets,
  type Trusting,
  type TrustTarget,
} from './plan-certificates.ts';

export interface StartSelfSignedOptions extends Omit<SelfSignedParts, 'settings' | 'lifetimes'> {
  readonly options: SelfSignedOptions;
  /** Signal that ends the wait for the first certificate when it is aborted. */
  readonly stop: AbortSignal;
}

/**
 * Reads the certificate from the Secret, or creates it, and keeps it up to date.
 *
 * @throws OpSdkError `runtime/invalid-self-signed`, `runtime/invalid-duration`; the reason of `stop` if it aborts
 */
export async function startSelfSigned(parts: StartSelfSignedOptions): Promise<WatchedCertificate> {
  const { options, stop, ...others } = parts;
  const selfSigned = new SelfSigned({ ...others, settings: options, lifetimes: lifetimesOf(options) });
  try {
    const pair = await selfSigned.start(stop);
    return { pair, stop: () => selfSigned.stop(), check: () => selfSigned.check() };
  } catch (error) {
    await selfSigned.stop();
    throw error;
  }
}

function lifetimesOf({ certificateLifetime, authorityLifetime }: SelfSignedOptions): Lifetimes {
  const certificate = durationMs(certificateLifetime ?? defaultLifetimes.certificate);
  const authority = durationMs(authorityLifetime ?? defaultLifetimes.authority);
  if (certificate <= 0 || certificate * 3 > authority)
    throw new OpSdkError({
      code: 'runtime/invalid-self-signed',
      message: `webhooks.selfSigned: expected a certificateLifetime of at most a third of authorityLifetime (${durationText(authority)}), got ${durationText(certificate)}`,
      fix: ['lower certificateLifetime, or raise authorityLifetime'],
    });
  return { certificate, authority, settle: Math.min(defaultLifetimes.settle, certificate / 10) };
}

export interface SelfSignedParts {
  readonly settings: SelfSignedSettings;
  /** Names of the CustomResourceDefinitions whose conversions this operator serves. */
  readonly definitions: readonly string[];
  /** Client whose writes are sent in every replica, independently of leader election. */
  readonly client: Client;
  readonly reflect: RunReflector;
  readonly log: Logger;
  /** Called with the new certificate when the server has to present another one. */
  readonly onChange: (server: KeyPair) => void;
  readonly lifetimes?: Lifetimes | undefined;
  /**
   * Interval in milliseconds at which the operator checks if a change of the certificates is due, and retries failures. Default: {@link
   * lookEvery}.
   */
  readonly interval?: number | undefined;
  /** Returns the current time in milliseconds since the epoch. Default: `Date.now`. */
  readonly now?: () => number;
}

/**
 * Maintains the certificate of an operator's webhooks. Every replica does all of this. The steps of a certificate change are written to the
 * Secret under optimistic locking, so that only one replica succeeds; the `caBundle` fields that the replicas apply are equal.
 */
export class SelfSigned {
  readonly #options: SelfSignedParts;
  readonly #lifetimes: Lifetimes;
  readonly #stop = new AbortController();
  /** Step that checks the certificates; it is requested when a change of the certificates may be due. */
  readonly #look = new RepeatedStep(async () => this.#work(), this.#stop.signal);
  readonly #targets: readonly TrustTarget[];
  readonly #objects = new Map<TrustTarget, Seen<KubeObject>>();
  readonly #watches: Promise<void>[] = [];
  #secret: Seen<Secret>;
  /** The certificate that the server presents, with its authorities. */
  #shown: WebhookCertificates | undefined;
  /** Resolves with the first certificate that the server can present. */
  readonly #first: Promise<KeyPair>;
  #resolveFirst: (server: KeyPair) => void = () => undefined;
  /** The reason of each attempt's last failure, by the name of the attempt, so that each reason is logged only once. */
  readonly #failures = new Map<string, string>();
  /**
   * The authorities that all objects in `#targets` trust, and the time in milliseconds since the epoch at which this process observed this
   * trust.
   */
  #trusted: { readonly bundle: string; readonly since: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SelfSignedParts) {
    this.#options = options;
    this.#lifetimes = options.lifetimes ?? defaultLifetimes;
    this.#targets = trustTargets(options.settings, options.definitions);
    this.#first = new Promise((resolve) => (this.#resolveFirst = resolve));
  }

  /**
   * Reads the certificate, or creates it, and keeps it up to date until `stop`.
   *
   * @throws the signal's reason if the signal aborts before a certificate exists, for example because the permission for the Secret is
   * missing
   */
  async start(signal: AbortSignal): Promise<KeyPair> {
    const { namespace, secret } = this.#options.settings;
    this.#watch<Secret>(Secret, secret, namespace, (seen) => (this.#secret = seen));
    for (const target of this.#targets) {
      this.#objects.set(target, undefined);
      this.#watch(target.resource, target.name, undefined, (seen) => this.#objects.set(target, seen));
    }
    const { interval = lookEvery(this.#lifetimes) } = this.#options;
    this.#timer = setInterval(() => this.#look.request(), interval);
    this.#timer.unref();
    return waitFor(this.#first, signal);
  }

  /**
   * Checks for `/readyz` that the API server trusts the presented certificate. A failure that concerns only the next certificate is logged
   * and ignored, because the current certificate works.
   *
   * @throws OpSdkError `runtime/webhook-untrusted` with the reason
   */
  check(): void {
    const { settings } = this.#options;
    const findings = this.#targets.flatMap((target) => {
      const object = this.#objects.get(target);
      if (object === 'absent') return [];
      const authority = this.#shown?.authority.certificate ?? '';
      if (object !== undefined && trusts(object as Trusting, authority, settings)) return [];
      const what = object === undefined ? watching(target) : writing(target);
      return [
        {
          code: 'runtime/webhook-untrusted' as const,
          message: `the certificate of the webhooks: cannot ${what}: ${this.#failures.get(what) ?? 'not done yet'}`,
          fix: [
            'give the ServiceAccount the roles of config/rbac/webhook_certificate_role.yaml and webhook_ca_role.yaml',
          ],
        },
      ];
    });
    const [first, ...others] = findings;
    if (first !== undefined) throw new OpSdkError([first, ...others]);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort(new Error('the webhooks are stopped'));
    await Promise.all([...this.#watches, this.#look.ended()]);
  }

  #watch<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    namespace: string | undefined,
    keep: (seen: Seen<T>) => void,
  ): void {
    const what = `watch ${resource.kind} ${name}`;
    const watching = watchObject(
      this.#options.reflect,
      { resource, name, namespace, transform: (object) => trustPartOf(object) },
      {
        see: (seen) => {
          keep(seen);
          this.#look.request();
        },
        onState: (error) => this.#note(what, error),
      },
      this.#stop.signal,
    );
    this.#watches.push(watching);
  }

  async #work(): Promise<void> {
    const secret = this.#secret;
    if (secret === undefined) return;
    try {
      await this.#step(secret);
    } catch (error) {
      this.#note('keep it', error);
    }
  }

  async #step(secret: Exclude<Seen<Secret>, undefined>): Promise<void> {
    const found = this.#read(secret);
    if (found === 'foreign') return;
    // Trust is established before the certificate is presented, so that the API server already trusts the next certificate of the server.
    const trustedSince = found && (await this.#trust(found));
    if (found !== undefined) this.#show(found);
    await this.#advance(secret, found, trustedSince);
  }

  /**
   * @returns `foreign` if the Secret contains the certificate of another Service and must not be changed; undefined if its certificates
   * cannot be used
   */
  #read(secret: Exclude<Seen<Secret>, undefined>): WebhookCertificates | 'foreign' | undefined {
    if (secret === 'absent') return undefined;
    const { settings, log } = this.#options;
    const certificates = fromSecretData(secret.data ?? {});
    const name = `Secret ${settings.namespace}/${settings.secret}`;
    if ('problem' in certificates) {
      log.warn(
        { problem: certificates.problem },
        `${name} has no certificate that can be used; it is replaced`,
      );
      return undefined;
    }
    const isOurs = isFor(certificates.server, settings);
    const other = `expected ${name} to hold the certificate of Service ${settings.service}, got that of another one: give each operator of a namespace another WEBHOOK_SECRET_NAME (and the name in config/rbac/webhook_certificate_role.yaml), or delete the Secret if the other one is gone`;
    this.#note('use the Secret', isOurs ? undefined : new Error(other));
    return isOurs ? certificates : 'foreign';
  }

  /**
   * Makes all objects that refer to the operator's Service trust the authorities. @returns the time since which all these objects trust
   * them; undefined if at least one does not
   */
  async #trust(certificates: WebhookCertificates): Promise<number | undefined> {
    const bundle = Buffer.from(trustedBy(certificates)).toString('base64');
    let isTrusted = true;
    for (const target of this.#targets) if (!(await this.#trustBy(target, bundle))) isTrusted = false;
    if (!isTrusted) this.#trusted = undefined;
    else if (this.#trusted?.bundle !== bundle) this.#trusted = { bundle, since: this.#now() };
    return this.#trusted?.since;
  }

  async #trustBy(target: TrustTarget, bundle: string): Promise<boolean> {
    const { settings, client, log } = this.#options;
    const object = this.#objects.get(target);
    if (object === undefined) return false;
    const wanted = object === 'absent' ? undefined : missingTrust(object as Trusting, bundle, settings);
    const what = writing(target);
    if (wanted === undefined) {
      this.#note(what, undefined);
      return true;
    }
    try {
      // The applied object contains only one field of each webhook, so it does not match the type of a complete object.
      const applied = await client.apply(target.resource, wanted as never, {
        fieldManager: `${settings.service}/ca-bundle`,
        signal: this.#stop.signal,
      });
      if (this.#objects.get(target) === object) this.#objects.set(target, trustPartOf(applied));
      this.#note(what, undefined);
      log.info({ object: `${target.resource.kind} ${target.name}` }, 'CA bundle of the webhooks written');
      return true;
    } catch (error) {
      this.#note(what, error);
      return false;
    }
  }

  #show(certificates: WebhookCertificates): void {
    const before = this.#shown;
    const { server } = certificates;
    if (before !== undefined && before.server.certificate !== server.certificate) {
      this.#options.onChange(server);
      this.#options.log.info('Certificate of the webhooks renewed');
    }
    this.#shown = certificates;
    if (before === undefined) this.#resolveFirst(server);
  }

  async #advance(
    secret: Exclude<Seen<Secret>, undefined>,
    found: WebhookCertificates | undefined,
    trustedSince: number | undefined,
  ): Promise<void> {
    const { settings, client, log } = this.#options;
    const what = `write Secret ${settings.namespace}/${settings.secret}`;
    // A deleted Secret is written again with the same content, so that clients do not have to trust another authority.
    const lost = secret === 'absent' ? this.#shown : undefined;
    const step =
      lost === undefined
        ? planCertificates({ found, trustedSince, settings, lifetimes: this.#lifetimes, now: this.#now() })
        : { certificates: lost, reason: 'the Secret was deleted' };
    if (step === undefined) {
      this.#note(what, undefined);
      return;
    }
    const data = toSecretData(step.certificates);
    const options = { signal: this.#stop.signal };
    try {
      const metadata = { name: settings.secret, namespace: settings.namespace };
      const written =
        secret === 'absent'
          ? await client.create(Secret, { metadata, type: 'kubernetes.io/tls', data }, options)
          : await client.update(Secret, { ...secret, data }, options);
      if (this.#secret === secret) this.#secret = written;
      this.#note(what, undefined);
      log.info({ reason: step.reason }, 'Certificates of the webhooks changed');
      this.#look.request();
    } catch (error) {
      // A conflict means that another replica was faster; the watch delivers the step of that replica.
      this.#note(what, isConflict(error) || isAlreadyExists(error) ? undefined : error);
    }
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** Records a failure of an attempt, or its success if the error is undefined. Logs each reason only once. */
  #note(what: string, error: unknown): void {
    if (error === undefined || this.#stop.signal.aborted) {
      this.#failures.delete(what);
      return;
    }
    const reason = messageOf(error);
    if (this.#failures.get(what) !== reason)
      this.#options.log.error({ error }, `The certificate of the webhooks: cannot ${what}`);
    this.#failures.set(what, reason);
  }
}

/** Returns the name of an attempt, for logs and errors. */
const watching = ({ resource, name }: TrustTarget): string => `watch ${resource.kind} ${name}`;
const writing = ({ resource, name }: TrustTarget): string =>
  `write the CA bundle of ${resource.kind} ${name}`;

function trustPartOf<T extends KubeObject>(object: T): T {
  return object.kind === 'Secret' ? object : (trustPart(object as never) as unknown as T);
}
