import { createServer, type Server } from 'node:net';
import { OpSdkError } from '../../../base/errors/index.ts';
import type { Pod } from '../../../sdk/k8s/generated/core/v1.ts';
import { errnoOf, errnoText } from '../../../base/util/fs.ts';

/**
 * Port that marks a block as taken. The control plane that listens on this port of the block has the block, and loses it when its process
 * ends.
 */
const claimPort = 47_131;

/** Blocks 127.64.0.0/16 to 127.191.0.0/16: 127.0 and what systemd-resolved and others use are left alone. */
const firstBlock = 64;
const blockCount = 128;

/** Name of a Pod or of a Service in a cluster. */
const podName = /^([a-z0-9-]+)\.([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.cluster\.local)?\.?$/;
const serviceName = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc(?:\.cluster\.local)?\.?$/;
const anyName =
  /(?<![A-Za-z0-9.-])[a-z0-9-]+\.[a-z0-9-]+(?:\.[a-z0-9-]+)?\.svc(?:\.cluster\.local)?(?![A-Za-z0-9-])/g;

/**
 * Addresses of 127.0.0.0/8 that one control plane has for itself, so that several can run at the same time. A name has the same address
 * for as long as the block is held, also before its Pod exists and after it was replaced.
 */
export class AddressBlock {
  readonly #claim: Server;
  readonly #block: number;
  readonly #addresses = new Map<string, string>();

  private constructor(claim: Server, block: number) {
    this.#claim = claim;
    this.#block = block;
  }

  /**
   * Acquires a block that no other control plane holds.
   * @throws OpSdkError testenv/no-addresses if this machine has no such addresses, or all are taken
   */
  static async take(): Promise<AddressBlock> {
    if (process.platform === 'win32') throw noAddresses('processes are not run on Windows', 'use WSL 2');
    // Only Linux has all addresses of 127.0.0.0/8 by itself.
    const start = process.platform === 'linux' ? Math.floor(Math.random() * blockCount) : 0;
    for (let index = 0; index < blockCount; index++) {
      const block = firstBlock + ((start + index) % blockCount);
      const claim = await listen(`127.${block}.255.254`);
      if (claim !== undefined) return new AddressBlock(claim, block);
    }
    throw noAddresses('all blocks of addresses are taken', 'end control planes that are not needed');
  }

  /** Returns the address of a node. @param index number of the node, from 0 */
  nodeAddress(index: number): string {
    return `127.${this.#block}.254.${(index % 250) + 1}`;
  }

  /** Returns the address of a Pod, which is determined by its names. */
  addressOf({ metadata: { namespace = '', name }, spec }: Pod): string {
    return this.podAddress(namespace, { name, hostname: spec?.hostname, subdomain: spec?.subdomain });
  }

  /** Returns the address of a Pod by its name in the cluster. */
  podAddress(
    namespace: string,
    pod: {
      readonly name: string;
      readonly hostname?: string | undefined;
      readonly subdomain?: string | undefined;
    },
  ): string {
    const { name, hostname = name, subdomain } = pod;
    return this.#addressOf(
      subdomain === undefined ? `${namespace}/pod/${name}` : `${hostname}.${subdomain}.${namespace}`,
    );
  }

  /** Returns the address of a Service. */
  serviceAddress(namespace: string, name: string): string {
    return this.#addressOf(`${name}.${namespace}`);
  }

  /** Returns the address of a Pod or a Service by its name; undefined for other texts. */
  lookup(name: string): string | undefined {
    const key = keyOfName(name);
    return key === undefined ? undefined : this.#addressOf(key);
  }

  /** Returns the address of a name, if one has been assigned; otherwise undefined. */
  find(name: string): string | undefined {
    return this.#addresses.get(keyOfName(name) ?? '');
  }

  /** @throws OpSdkError testenv/unknown-name */
  resolve(name: string): string {
    const address = this.lookup(name);
    if (address !== undefined) return address;
    throw new OpSdkError({
      code: 'testenv/unknown-name',
      message: `expected POD.SUBDOMAIN.NAMESPACE.svc or SERVICE.NAMESPACE.svc, got ${JSON.stringify(name)}`,
      fix: ['write the whole name, with the namespace and .svc'],
    });
  }

  /** Replaces the names of Pods and Services in a text by their addresses. */
  replaceNames(text: string): string {
    return text.replaceAll(anyName, (name) => this.lookup(name) ?? name);
  }

  /** Releases the block. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#claim.close(() => resolve()));
  }

  #addressOf(key: string): string {
    const known = this.#addresses.get(key);
    if (known !== undefined) return known;
    const next = this.#addresses.size;
    if (next >= 250 * 250) throw noAddresses('all addresses of the block are taken', 'use fewer names');
    const address = `127.${this.#block}.${Math.floor(next / 250)}.${(next % 250) + 1}`;
    this.#addresses.set(key, address);
    return address;
  }
}

/** Returns the key of the address of a name; undefined for other texts. */
function keyOfName(name: string): string | undefined {
  const pod = podName.exec(name);
  if (pod !== null) return pod.slice(1, 4).join('.');
  const [, service, namespace] = serviceName.exec(name) ?? [];
  // The API server is at no address of the block: KUBECONFIG leads to it.
  if (service === undefined || (service === 'kubernetes' && namespace === 'default')) return undefined;
  return `${service}.${namespace}`;
}

/** Listens on the port of a block that marks it as taken. @returns undefined if another control plane listens there */
async function listen(address: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: address, port: claimPort, exclusive: true }, resolve);
    });
    server.unref();
    return server;
  } catch (error) {
    if (errnoOf(error) === 'EADDRINUSE') return undefined;
    throw noAddresses(
      `this machine has no address ${address} (${errnoText(error)})`,
      `add the addresses: for i in 0.{1..99} 254.{1..9} 255.254; do sudo ifconfig lo0 alias 127.${firstBlock}.$i; done`,
    );
  }
}

function noAddresses(message: string, fix: string): OpSdkError {
  return new OpSdkError({ code: 'testenv/no-addresses', message: `runProcesses: ${message}`, fix: [fix] });
}
