import type { KubeClient } from '../../sdk/kube/index.ts';
import { Service } from '../../sdk/k8s/generated/core/v1.ts';
import { Ingress } from '../../sdk/k8s/generated/networking/v1.ts';
import { isOutdated } from './mirror.ts';

/**
 * Gives Services of type LoadBalancer and Ingresses an address, as clouds and ingress controllers do. The addresses are of TEST-NET-1 (RFC
 * 5737): nothing answers there.
 */
export class LoadBalancers {
  readonly #client: KubeClient;
  readonly #onError: (error: unknown) => void;
  #next = 0;

  constructor(client: KubeClient, onError: (error: unknown) => void) {
    this.#client = client;
    this.#onError = onError;
  }

  /** Gives an address to a new or changed Service. */
  takeService(service: Service): void {
    const { spec, status } = service;
    const isMeant = spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
    const has = status?.loadBalancer?.ingress !== undefined;
    if (isMeant && !has) this.#write(Service, service, { ingress: [{ ip: this.#address(), ipMode: 'VIP' }] });
    else if (!isMeant && has && spec?.type !== 'LoadBalancer') this.#write(Service, service, null);
  }

  /** Gives an address to a new or changed Ingress. */
  takeIngress(ingress: Ingress): void {
    if (ingress.status?.loadBalancer?.ingress === undefined)
      this.#write(Ingress, ingress, { ingress: [{ ip: this.#address() }] });
  }

  #address(): string {
    this.#next = (this.#next % 250) + 1;
    return `192.0.2.${this.#next}`;
  }

  #write(
    resource: typeof Service | typeof Ingress,
    { metadata }: Service | Ingress,
    loadBalancer: unknown,
  ): void {
    if (metadata.deletionTimestamp !== undefined) return;
    const body = { metadata: { uid: metadata.uid }, status: { loadBalancer } };
    this.#client
      .patch(resource as typeof Service, metadata, { type: 'merge', body }, { subresource: 'status' })
      .catch((error: unknown) => {
        if (!isOutdated(error)) this.#onError(error);
      });
  }
}
