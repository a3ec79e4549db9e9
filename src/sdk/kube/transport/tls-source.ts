import type { TlsMaterial, TransportSettings, TransportTarget } from './transport.ts';

const fields = ['ca', 'cert', 'key', 'serverName', 'insecureSkipVerify'] as const;

/**
 * The TLS material of one server, for all its transports. Read for each new connection, and again once a minute while requests are
 * sent: when it has changed, connections made with the old one must not be used further. Without requests nothing is read,
 * so that no timer is needed and no credential plugin runs for nothing.
 * Source: client-go `transport.certRotatingDialer`, which closes all connections then.
 */
export class TlsSource {
  readonly #target: TransportTarget;
  readonly #lookAgainAfter: number;
  readonly #drains: (() => void)[] = [];
  #current: TlsMaterial | undefined;
  #lookedAt = -Infinity;
  #looking: Promise<boolean> | undefined;

  constructor(target: TransportTarget, settings: TransportSettings) {
    this.#target = target;
    this.#lookAgainAfter = settings.rereadTlsAfter;
  }

  /** The target, whose material is read through this source. */
  get target(): TransportTarget {
    return { ...this.#target, tls: (signal) => this.#read(signal) };
  }

  /** Returns true if a connection with this material, as the target's `tls` gave it, may still be used. Undefined: it has no TLS. */
  isCurrent(material: TlsMaterial | undefined): boolean {
    return material === undefined || material === this.#current;
  }

  /** @param drain called when connections that were made before must not be used for new requests */
  onChange(drain: () => void): void {
    this.#drains.push(drain);
  }

  /** To be called with each request; looks in the background, and seldom. */
  lookIfDue(now: number): void {
    if (now - this.#lookedAt < this.#lookAgainAfter || this.#current === undefined) return;
    // What cannot be read now is reported by the next connection that needs it.
    this.look().catch(() => undefined);
  }

  /**
   * Looks now. True if the material of existing connections was another.
   *
   * @throws what the target's `tls` throws
   */
  async look(): Promise<boolean> {
    if (this.#current === undefined) return false;
    this.#looking ??= this.#hasChanged().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #hasChanged(): Promise<boolean> {
    const before = this.#current;
    return (await this.#read()) !== before;
  }

  /** Gives the same object as long as nothing changes. */
  async #read(signal?: AbortSignal): Promise<TlsMaterial> {
    this.#lookedAt = performance.now();
    const material = await this.#target.tls(signal);
    const known = this.#current;
    if (known !== undefined && fields.every((field) => known[field] === material[field])) return known;
    this.#current = material;
    if (known !== undefined) for (const drain of this.#drains) drain();
    return material;
  }
}
