import type { Pod } from '../../sdk/k8s/generated/core/v1.ts';

/** Addresses of nodes and Pods at which nothing answers: 10.199.0.0/16 for nodes, 10.244.0.0/16 for Pods. */
export class PretendedAddresses {
  readonly #given = new Map<string, string>();
  #next = 1;

  /** Returns the address of a node. @param index number of the node, from 0 */
  nodeAddress(index: number): string {
    return `10.199.${Math.floor(index / 250)}.${(index % 250) + 1}`;
  }

  /** Returns the address of a Pod, which no other Pod has. */
  addressOf({ metadata: { uid = '' } }: Pod): string {
    const known = this.#given.get(uid);
    if (known !== undefined) return known;
    this.#next = (this.#next % 62_000) + 1;
    const address = `10.244.${Math.floor(this.#next / 250)}.${(this.#next % 250) + 1}`;
    this.#given.set(uid, address);
    return address;
  }
}
