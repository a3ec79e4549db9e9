import type { ControllerClient } from '../client/index.ts';
import type { HubConversion } from '../conversion/index.ts';
import type { HealthChecks, RunningServer } from '../http/index.ts';
import type { AnyWebhook } from '../webhook/index.ts';
import type { ConversionKeys } from '../webhook/conversion-key/conversion-keys.ts';
import type { WebhookServer } from '../webhook/server/index.ts';
import type { ManagerSettings } from './manager-settings.ts';
import type { Ports } from './serve.ts';

/** What webhooks need of their manager. */
export interface WebhookParts {
  readonly settings: ManagerSettings;
  readonly checks: HealthChecks;
  readonly ports: Ports;
  readonly clientFor: (signal: AbortSignal) => ControllerClient;
  /** Ends the wait for a certificate. */
  readonly stop: AbortSignal;
  /** Ends the work of all requests. */
  readonly abort: AbortSignal;
}

/** What a manager serves to the API server. */
export class ManagedWebhooks {
  readonly #items: (AnyWebhook | HubConversion)[] = [];
  readonly #parts: WebhookParts;
  #server: WebhookServer | undefined;
  #keys: ConversionKeys | undefined;
  #leads = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
  }

  add(item: AnyWebhook | HubConversion): void {
    if (this.#items.push(item) > 1 || !this.#isEnabled) return;
    // From the start: who is ready is asked.
    this.#parts.checks.add('readyz', 'webhook', () => {
      if (this.#server === undefined) throw new Error('not served yet');
      this.#server.check();
    });
  }

  /**
   * Whether the API server needs this process to read objects of other versions. It asks pods that are ready: one that waits for its own
   * caches to be ready would never be.
   */
  get convert(): boolean {
    return this.#isEnabled && this.#items.some(({ role }) => role === 'conversion');
  }

  get #isEnabled(): boolean {
    return this.#parts.settings.webhooks?.enabled !== false;
  }

  /** @returns undefined if there is nothing to serve, or webhooks are switched off. @throws OpSdkError as `serveWebhooks` */
  async start(): Promise<RunningServer | undefined> {
    if (this.#items.length === 0) return undefined;
    if (!this.#isEnabled) {
      this.#parts.settings.log.info('Webhooks are switched off (ENABLE_WEBHOOKS=false)');
      return undefined;
    }
    // An operator that serves none does not load it.
    const { serveWebhooks } = await import('../webhook/server/index.ts');
    const { settings, stop, abort, ports, clientFor } = this.#parts;
    const { webhooks, http2 = false, cluster, log, gracefulShutdownTimeout } = settings;
    const { client, reflect, connection } = cluster;
    const conversionKeys = this.convert ? await this.#startKeys() : undefined;
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
    return this.#server;
  }

  /** This replica leads: it renews what all of them share. */
  lead(): void {
    this.#leads = true;
    this.#keys?.lead();
  }

  /** The keys are known soon after: who waits for one does so for each review. */
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
