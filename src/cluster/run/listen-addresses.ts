import { OpSdkError } from '../../base/errors/index.ts';
import { parseListenAddress, type ListenAddress } from '../../sdk/net/index.ts';
import { freePort, listenError } from '../../testing/index.ts';

/** Endpoints that an operator serves without TLS, each with its default port and the flag that changes its address. */
const services = [
  { name: 'metrics', flag: '--metrics-bind-address', port: 8080 },
  { name: 'probes', flag: '--health-probe-bind-address', port: 8081 },
] as const;
type Service = (typeof services)[number];

/** Further ports. They are tried if the default ports of the endpoints are in use. */
const others = Array.from({ length: 100 }, (_, index) => 8082 + index);
const host = '127.0.0.1';

/**
 * Chooses the addresses at which an operator listens on this machine. A default port that is in use is replaced by a free port, and the
 * operator keeps this port when it is restarted. An address that the user chose is never replaced, only checked.
 */
export class ListenAddresses {
  readonly #flags: readonly string[];
  readonly #report: (message: string) => void;
  readonly #chosen = new Map<Service['name'], number>();

  /**
   * @param flags flags that the user gave for the operator
   * @param report called with a message about default ports that were in use, and the ports that replace them
   */
  constructor(flags: readonly string[], report: (message: string) => void = () => undefined) {
    this.#flags = flags;
    this.#report = report;
  }

  /**
   * Checks the addresses that the user chose.
   *
   * @throws OpSdkError `cluster/cannot-listen`
   */
  async check(): Promise<void> {
    for (const service of services) await this.#checkGiven(service);
  }

  /**
   * Chooses ports that are free now.
   *
   * @returns flags for the operator. Put the flags of the user after them, so that the flags of the user take precedence
   * @throws OpSdkError `cluster/cannot-listen` if an address that the user chose is not free
   */
  async choose(): Promise<readonly string[]> {
    await this.check();
    const flags = ['--metrics-secure=false'];
    for (const service of services) {
      if (lastValue(this.#flags, service.flag) !== undefined) continue;
      flags.push(`${service.flag}=${host}:${await this.#portFor(service)}`);
    }
    return flags;
  }

  async #portFor({ name, port }: Service): Promise<number> {
    const last = this.#chosen.get(name) ?? port;
    const reserved: number[] = services.filter((other) => other.name !== name).map((other) => other.port);
    for (const [other, taken] of this.#chosen) if (other !== name) reserved.push(taken);
    const free = await firstFree([last, port, ...others].filter((each) => !reserved.includes(each)));
    this.#chosen.set(name, free);
    if (free !== last)
      this.#report(`port ${last} is taken, so ${name} are served on ${host}:${free} instead`);
    return free;
  }

  async #checkGiven({ name, flag }: Service): Promise<void> {
    const value = lastValue(this.#flags, flag);
    const address = value === undefined ? undefined : addressOf(value, flag);
    if (address === undefined || address.port === 0) return;
    const error = await listenError(address);
    if (error === undefined) return;
    const isTaken = error.code === 'EADDRINUSE';
    const reason = isTaken ? 'another process listens there' : error.message;
    throw new OpSdkError(
      {
        code: 'cluster/cannot-listen',
        message: `${flag}: expected an address at which ${name} can be served, got ${JSON.stringify(value)}: ${reason}`,
        where: { flag },
        fix: [
          ...(isTaken ? ['stop the process that listens there'] : []),
          `leave out ${flag}: a free port is chosen`,
          `write another address, or ${flag}=0 for none`,
        ],
      },
      { cause: error },
    );
  }
}

async function firstFree(ports: readonly number[]): Promise<number> {
  for (const port of ports) if ((await listenError({ host, port })) === undefined) return port;
  return freePort();
}

/** Returns the value of the last occurrence of a flag, because it takes precedence. */
function lastValue(flags: readonly string[], flag: string): string | undefined {
  let value: string | undefined;
  for (const [index, argument] of flags.entries()) {
    if (argument.startsWith(`${flag}=`)) value = argument.slice(flag.length + 1);
    else if (argument === flag) value = flags[index + 1];
  }
  return value;
}

/**
 * Parses the address in a flag. Returns undefined if the value disables the endpoint or is invalid. The operator itself reports an invalid
 * value, together with problems of its other flags.
 */
function addressOf(value: string, flag: string): ListenAddress | undefined {
  try {
    return parseListenAddress(value, flag);
  } catch {
    return undefined;
  }
}
