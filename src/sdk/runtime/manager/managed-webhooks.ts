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
  /** Aborted when the manager stops, to end waiting for a certificate. */
  readonly stop: AbortSignal;
  /** Aborts the handling of all webhook requests. */
  readonly abort: AbortSignal;
}

/** Webhooks and conversions that a manager serves to the API server. */
export class ManagedWebhooks {
  readonly #items: (AnyWebhook | HubConversion)[] = [];
  readonly #parts: WebhookParts;
  #server: WebhookServer | undefined;
  #keys: ConversionKeys | undefined;
  #leads = false;
  /** Time at which the stop was requested; undefined without a running server. */
  #leftAt: number | undefined;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  add(item: AnyWebhook | HubConversion): void {
    if (this.#items.push(item) > 1 || !this.#isEnabled) return;
    // The check is added together with the first webhook, so that the pod is not ready until the webhooks are served.
    this.#parts.checks.add('readyz', 'webhook', () => {
      if (this.#server === undefined) throw new Error('not served yet');
      if (this.#parts.stop.aborted) throw new Error('stopping');
      this.#server.check();
    });
  }

  /**
   * Returns true if the API server needs this process to convert objects of a kind. The API server sends conversions only to ready pods. So
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

  /** Starts the webhook server. @returns undefined if webhooks are disabled or none were added. @throws the errors of `serveWebhooks` */
  async start(): Promise<RunningServer | undefined> {
    if (this.#items.length === 0) return undefined;
    if (!this.#isEnabled) {
      this.#parts.settings.log.info('Webhooks are switched off (ENABLE_WEBHOOKS=false)');
      return undefined;
    }
    // Imported on demand, so that an operator without webhooks does not load it.
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
   * Waits for the rest of `shutdownDelay`, because Services still send requests to this process for a short time after it has stopped being
   * ready.
   *
   * @param hurry ends the wait early
   */
  async linger(hurry: AbortSignal): Promise<void> {
    if (this.#leftAt === undefined || hurry.aborted) return;
    const { shutdownDelay } = this.#parts.settings;
    const left = shutdownDelay - (systemClock.now() - this.#leftAt);
    if (left > 0) await pause(systemClock, left, hurry);
  }

  /** Called when this replica becomes the leader, which renews the keys of conversion data that all replicas share. */
  lead(): void {
    this.#leads = true;
    this.#keys?.lead();
  }

  /** Starts reading or creating the keys of conversion data without waiting for them: each review that needs a key waits for that key. */
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
