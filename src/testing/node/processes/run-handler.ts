import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import type { Container, LifecycleHandler, Probe } from '../../../sdk/k8s/generated/core/v1.ts';

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
 * Runs a probe or a hook of a container.
 * @param timeout time limit in milliseconds
 * @returns the reason of a failure, in the words of a kubelet; undefined after success
 */
export async function runHandler(
  { httpGet, tcpSocket, grpc, exec, ...rest }: Probe & LifecycleHandler,
  target: HandlerTarget,
  timeout: number,
): Promise<string | undefined> {
  if (httpGet !== undefined) {
    const { host = target.address, path = '/', scheme = 'HTTP', httpHeaders = [] } = httpGet;
    const url = `${scheme.toLowerCase()}://${host}:${portNumber(httpGet.port, target.container)}${path.startsWith('/') ? '' : '/'}${path}`;
    return get(url, Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value])), timeout);
  }
  if (tcpSocket !== undefined)
    return dial(tcpSocket.host ?? target.address, portNumber(tcpSocket.port, target.container), timeout);
  if (grpc !== undefined) return dial(target.address, grpc.port, timeout);
  if (exec !== undefined) return target.execute(exec.command ?? [], timeout);
  const { sleep } = rest;
  if (sleep !== undefined)
    await new Promise((resolve) => setTimeout(resolve, Math.min(sleep.seconds * 1000, timeout)));
  return undefined;
}

/** Returns the number of a port that may be given by its name. */
export function portNumber(port: number | string, { ports = [] }: Container): number {
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}

/** Sends a GET request, as a kubelet does: certificates are not checked, and redirects within 2xx and 3xx are a success. */
function get(
  url: string,
  headers: Readonly<Record<string, string>>,
  timeout: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = url.startsWith('https') ? httpsRequest : httpRequest;
    const asked = request(url, { headers, timeout, agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      resolve(
        statusCode >= 200 && statusCode < 400
          ? undefined
          : `HTTP probe failed with statuscode: ${statusCode}`,
      );
    });
    asked.on('timeout', () => asked.destroy(new Error('context deadline exceeded')));
    asked.on('error', ({ message }) => resolve(`Get "${url}": ${message}`));
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
