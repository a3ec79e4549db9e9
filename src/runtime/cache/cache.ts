import type { KubeObject, Resource } from '../../api/index.ts';
import { OpSdkError } from '../../errors/index.ts';
import type { Clock } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';
import { Informer, type RunReflector } from './informer.ts';
import { parseKey } from '../../kube/object-key.ts';
import { resourceName } from './resource-name.ts';
import { syncFindings } from './sync-findings.ts';

export interface CacheOptions {
  readonly reflect: RunReflector;
  /** Watch only these; undefined: all. Cluster-scoped kinds are watched in any case. */
  readonly namespaces?: readonly string[] | undefined;
  readonly log: Logger;
  readonly clock: Clock;
}

/** The kinds that were declared, one informer each (one a namespace, if namespaces are given), shared by all controllers. */
export class Cache {
  readonly namespaces: readonly string[] | undefined;
  readonly #options: CacheOptions;
  readonly #informers = new Map<string, readonly Informer[]>();
  #started = false;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.namespaces = options.namespaces === undefined ? undefined : [...new Set(options.namespaces)];
  }

  get started(): boolean {
    return this.#started;
  }

  /** Makes sure that the kind will be watched. Must come before `start`. */
  declare(resource: Resource): readonly Informer[] {
    const id = resourceName(resource);
    const known = this.#informers.get(id);
    if (known !== undefined) return known;
    const namespaces = resource.namespaced ? (this.namespaces ?? [undefined]) : [undefined];
    const informers = namespaces.map((namespace) => new Informer(resource, namespace));
    this.#informers.set(id, informers);
    return informers;
  }

  /** @throws OpSdkError `runtime/undeclared-kind` */
  informersOf(resource: Resource): readonly Informer[] {
    const informers = this.#informers.get(resourceName(resource));
    if (informers !== undefined) return informers;
    throw new OpSdkError({
      code: 'runtime/undeclared-kind',
      message: `${resource.kind} (${resourceName(resource)}) is read from the cache, but no controller declares it`,
      fix: [
        `add it to \`owns\` or \`watches\` of the controller, so that it is watched and changes cause a reconcile`,
        'or read it from the API server with client.live',
      ],
    });
  }

  /** The object of a declared kind as it is now; undefined also while the kind is not synced. */
  lookUp(resource: Resource, key: string): KubeObject | undefined {
    const { namespace } = parseKey(key);
    return this.informersOf(resource)
      .find((informer) => informer.namespace === undefined || informer.namespace === namespace)
      ?.store.get(key);
  }

  /** Starts all lists and watches. The promise settles after the signal's abort, or rejects if a reflector has a defect. */
  async start(signal: AbortSignal): Promise<void> {
    this.#started = true;
    await Promise.all(
      this.#all().map((informer) =>
        informer.run(this.#options.reflect, (error) => this.#report(informer, error), signal),
      ),
    );
  }

  /**
   * Waits for the first complete list of every kind.
   *
   * @param timeout milliseconds
   * @throws OpSdkError `runtime/cache-not-synced` with the reason for each kind that is missing; the signal's reason
   */
  async waitForSync(timeout: number, signal: AbortSignal): Promise<void> {
    const informers = this.#all();
    await new Promise<void>((resolve, reject) => {
      const settle = (end: () => void) => (): void => {
        cancel();
        signal.removeEventListener('abort', aborted);
        end();
      };
      const aborted = settle(() => reject(signal.reason as Error));
      const late = settle(() => {
        const missing = informers.filter((informer) => !informer.hasSynced);
        reject(new OpSdkError(syncFindings(missing, timeout), { cause: missing[0]?.state.error }));
      });
      const cancel = this.#options.clock.after(timeout, late);
      signal.addEventListener('abort', aborted);
      if (signal.aborted) aborted();
      void Promise.all(informers.map((informer) => informer.synced)).then(settle(resolve));
    });
  }

  /** What is not synced yet, or no longer because the API server refuses it. */
  get unsynced(): readonly Informer[] {
    return this.#all().filter((informer) => !informer.state.synced);
  }

  #all(): Informer[] {
    return [...this.#informers.values()].flat();
  }

  #report({ resource, namespace }: Informer, error: unknown): void {
    // The manager warns once and says when all is well again; this is for who looks for the cause.
    this.#options.log.debug(
      { resource: resourceName(resource), namespace, error },
      'Failed to list and watch',
    );
  }
}
