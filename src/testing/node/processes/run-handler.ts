import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { toError } from '../../../sdk/net/index.ts';
import type {
  Container,
  ContainerPort,
  LifecycleHandler,
  Probe,
} from '../../../sdk/k8s/generated/core/v1.ts';

/** A container and the process that runs it, for its probes and hooks. */
export interface HandlerTarget {
  readonly container: Container;
  readonly address: string;
  /**
   * Runs a command beside the process.
   * @param timeout time limit in milliseconds
   * @returns the output of a command that has failed; undefined after success
   */
  readonly execute: (command: readonly string[], timeout: number) => Promise<string | undefined>;
}

/**
 * Runs a probe or a hook of a container. Never rejects, because a failing probe or hook must not end the test.
 * @param timeout time limit in milliseconds
 * @returns the reason of a failure, in the words of a kubelet; undefined after success
 */
export async function runHandler(
  handler: Probe & LifecycleHandler,
  target: HandlerTarget,
  timeout: number,
): Promise<string | undefined> {
  try {
    return await run(handler, target, timeout);
  } catch (error) {
    return toError(error).message;
  }
}

async function run(
  { httpGet, tcpSocket, grpc, exec, ...rest }: Probe & LifecycleHandler,
  target: HandlerTarget,
  timeout: number,
): Promise<string | undefined> {
  if (httpGet !== undefined) {
    const { host = target.address, path = '/', scheme = 'HTTP', httpHeaders = [] } = httpGet;
    const url = `${scheme.toLowerCase()}://${host}:${portOf(httpGet.port, target)}${path.startsWith('/') ? '' : '/'}${path}`;
    return get(url, Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])), timeout);
  }
  if (tcpSocket !== undefined)
    return dial(tcpSocket.host ?? target.address, portOf(tcpSocket.port, target), timeout);
  if (grpc !== undefined) return dial(target.address, grpc.port, timeout);
  if (exec !== undefined) return target.execute(exec.command ?? [], timeout);
  const { sleep } = rest;
  if (sleep !== undefined)
    await new Promise((resolve) => setTimeout(resolve, Math.min(sleep.seconds * 1000, timeout)));
  return undefined;
}

/** Returns the number of a port that may be given by its name; undefined if no port has the name. */
export function portNumber(
  port: number | string,
  ports: readonly ContainerPort[] | undefined = [],
): number | undefined {
  const number = ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
  return Number.isInteger(number) ? number : undefined;
}

function portOf(port: number | string, { container }: HandlerTarget): number {
  const number = portNumber(port, container.ports);
  if (number === undefined) throw new Error(`couldn't find port: "${port}" in container "${container.name}"`);
  return number;
}

/** Sends a GET request, as a kubelet does: certificates are not checked, and redirects within 2xx and 3xx are a success. */
function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeout: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = url.startsWith('https') ? httpsRequest : httpRequest;
    // The limit applies to the whole response, so that a server that sends it slowly cannot delay the probe.
    const signal = AbortSignal.timeout(timeout);
    const asked = request(url, { headers, signal, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume().on('error', () => undefined);
      const { statusCode = 0 } = response;
      resolve(
        statusCode >= 200 && statusCode < 400
          ? undefined
          : `HTTP probe failed with statuscode: ${statusCode}`,
      );
    });
    asked.on('error', ({ message }) =>
      resolve(`Get "${url}": ${signal.aborted ? 'context deadline exceeded' : message}`),
    );
    asked.end();
  });
}

function dial(host: string, port: number, timeout: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout });
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.on('connect', () => end());
    socket.on('timeout', () => end(`dial tcp ${host}:${port}: i/o timeout`));
    socket.on('error', ({ message }) => end(`dial tcp ${host}:${port}: ${message}`));
  });
}
