import type { Resource } from '../../api/index.ts';
import { onAbort, pause, systemClock } from '../../net/index.ts';
import type { ControllerClient } from '../client/index.ts';
import type { HubConversion } from '../conversion/index.ts';
import type { HealthChecks, RunningServer } from '../http/index.ts';
import type { AnyWebhook } from '../webhook/index.ts';
import type { ConversionKeys } from '../webhook/conversion-key/conversion-keys.ts';
import type { WebhookServer } from '../webhook/server/index.ts';
import type { ManagerSettings } from './manager-settings.ts';
import type { Ports } from './runnables.ts';

/** The parts of a manager that its webhooks use. */
interface WebhookParts {
  readonly settings: ManagerSettings;
  readonly checks: HealthChecks;
  readonly ports: Ports;
  readonly clientFor: (signal: AbortSignal) => ControllerClient;
  /** Aborts waiting for a certificate. */
  readonly stop: AbortSignal;
  /** Aborts the work of all requests. */
  readonly abort: AbortSignal;
}

/** Webhooks and conversions that a manager serves to the API server. */
export class ManagedWebhooks {
  readonly #items: (AnyWebhook | HubConversion)[] = [];
  readonly #parts: WebhookParts;
  #server: WebhookServer | undefined;
  #keys: ConversionKeys | undefined;
  #leads = false;
  /** Time at which the stop was requested, if a server runs. */
  #leftAt: number | undefined;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  add(item: AnyWebhook | HubConversion): void {
    if (this.#items.push(item) > 1 || !this.#isEnabled) return;
    // Added from the start, so that the pod is not ready until the webhooks are served.
    this.#parts.checks.add('readyz', 'webhook', () => {
      if (this.#server === undefined) throw new Error('not served yet');
      if (this.#parts.stop.aborted) throw new Error('stopping');
      this.#server.check();
    });
  }

  /**
   * Returns true if the API server needs this process to read objects of a kind in other versions. It sends conversions only to ready pods:
   * a pod that is not ready until the cache of such a kind is synced would never become ready.
   */
  converts({ group, kind }: Pick<Resource, 'group' | 'kind'>): boolean {
    return (
      this.#isEnabled &&
      this.#items.some(
        (item) => item.role === 'conversion' && item.hub.group === group && item.hub.kind === kind,
      )
    );
  }

  get #isEnabled(): boolean {
    return this.#parts.settings.webhooks?.enabled !== false;
  }

  /** @returns undefined if there is nothing to serve, or webhooks are disabled. @throws OpSdkError as `serveWebhooks` */
  async start(): Promise<RunningServer | undefined> {
    if (this.#items.length === 0) return undefined;
    if (!this.#isEnabled) {
      this.#parts.settings.log.info('Webhooks are switched off (ENABLE_WEBHOOKS=false)');
      return undefined;
    }
    // Not loaded by an operator without webhooks.
    const { serveWebhooks } = await import('../webhook/server/index.ts');
    const { settings, stop, abort, ports, clientFor } = this.#parts;
    const { webhooks, http2 = false, cluster, log, gracefulShutdownTimeout } = settings;
    const { client, reflect, connection } = cluster;
    const convertsAny = this.#items.some(({ role }) => role === 'conversion');
    const conversionKeys = convertsAny ? await this.#startKeys() : undefined;
    const options = webhooks?.selfSigned;
    const selfSigned = options && { options, client, reflect, stop };
    this.#server = await serveWebhooks({
      ...{ ...webhooks, items: this.#items, selfSigned, http2, connection, log },
      ...{ clientFor, signal: abort, gracePeriod: gracefulShutdownTimeout, stored: client, conversionKeys },
    }).catch(async (error: unknown) => {
      await conversionKeys?.stop();
      throw error;
    });
    ports.webhooks = this.#server.port;
    onAbort(stop, () => {
      this.#leftAt = systemClock.now();
      this.#server?.leave();
    });
    return this.#server;
  }

  /**
   * Waits until Services no longer send requests to this process, which they do for a short time after it is no longer ready.
   *
   * @param hurry ends the wait
   */
  async linger(hurry: AbortSignal): Promise<void> {
    if (this.#leftAt === undefined || hurry.aborted) return;
    const { shutdownDelay } = this.#parts.settings;
    const left = shutdownDelay - (systemClock.now() - this.#leftAt);
    if (left > 0) await pause(systemClock, left, hurry);
  }

  /** Called when this replica leads: it renews the keys that all replicas share. */
  lead(): void {
    this.#leads = true;
    this.#keys?.lead();
  }

  /** Does not wait for the keys: each review that needs one waits for it. */
  async #startKeys(): Promise<ConversionKeys | undefined> {
    const { conversionKey: settings, cluster, log } = this.#parts.settings;
    if (settings === undefined) {
      log.info('A key of this process signs the data of conversions');
      return undefined;
    }
    const { ConversionKeys } = await import('../webhook/conversion-key/conversion-keys.ts');
    const { client, reflect } = cluster;
    this.#keys = new ConversionKeys({ settings, client, reflect, log });
    this.#keys.start();
    if (this.#leads) this.#keys.lead();
    return this.#keys;
  }
}
