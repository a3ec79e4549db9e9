import { connect } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { WebSocket, WebSocketServer } from 'ws';
import { constants } from 'node:os';
import { execChannels, execProtocols, messageOn, portChannels, portProtocol } from '../../sdk/kube/index.ts';
import { toError } from '../../sdk/net/index.ts';
import type { ContainerCommand } from './container-runtime.ts';

/**
 * Streams of commands and ports over WebSockets, which an API server from 1.36 on passes on to nodes that declare
 * `ExtendWebSocketsToKubelet`.
 * @see https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/exec.go
 */
export async function streamingServer(): Promise<WebSocketServer> {
  // Few tests have nodes, and all of them load `opsdk/testing`.
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...execProtocols, portProtocol].find((each) => offered.has(each)) ?? false,
  });
}

/**
 * Connects a command to a WebSocket, and sends its end. As on a real node, the command continues when the WebSocket closes; only its input
 * ends, and its outputs are closed.
 */
export async function serveCommand(
  webSocket: WebSocket,
  start: () => Promise<ContainerCommand>,
  hasInput: boolean,
): Promise<void> {
  // Keep messages back until the command has started.
  webSocket.pause();
  let command: ContainerCommand;
  try {
    command = await start();
  } catch (error) {
    await send(webSocket, execChannels.status, failure('InternalError', toError(error).message));
    return webSocket.close(1000);
  }
  webSocket.once('close', () => {
    for (const stream of [command.stdin, command.stdout, command.stderr]) stream.destroy();
  });
  takeInput(webSocket, command.stdin, hasInput);
  const { code, signal } = await Promise.all([
    command.exited,
    forward(command.stdout, webSocket, execChannels.stdout),
    forward(command.stderr, webSocket, execChannels.stderr),
  ]).then(([exit]) => exit);
  const exitCode = signal === null ? (code ?? 1) : 128 + constants.signals[signal];
  await send(webSocket, execChannels.status, exitCode === 0 ? success : exited(exitCode));
  webSocket.close(1000);
}

/** Connects a port of an address to a WebSocket. */
export function servePort(webSocket: WebSocket, address: string, port: number): void {
  const number = Buffer.from([port & 0xff, port >> 8]);
  void send(webSocket, portChannels.data, number);
  void send(webSocket, portChannels.error, number);
  const socket = connect({ host: address, port });
  webSocket.once('close', () => socket.destroy());
  takeData(webSocket, socket, (message) =>
    message[0] === portChannels.data ? message.subarray(1) : undefined,
  );
  socket.on('error', ({ message }) => {
    void send(webSocket, portChannels.error, Buffer.from(`error forwarding port ${port}: ${message}`));
  });
  void forward(socket, webSocket, portChannels.data).then(() => webSocket.close(1000));
}

function takeInput(webSocket: WebSocket, stdin: Writable, hasInput: boolean): void {
  if (!hasInput) stdin.end();
  takeData(webSocket, stdin, (message) => {
    if (message[0] === execChannels.close && message[1] === execChannels.stdin) stdin.end();
    return message[0] === execChannels.stdin && hasInput ? message.subarray(1) : undefined;
  });
}

/** Writes the data of messages into a stream. Reads no messages while the stream is full. */
function takeData(
  webSocket: WebSocket,
  target: Writable,
  dataOf: (message: Buffer) => Buffer | undefined,
): void {
  // A program need not read its input.
  target.on('error', () => undefined);
  target.on('drain', () => webSocket.resume());
  target.on('close', () => webSocket.resume());
  webSocket.on('message', (message: Buffer) => {
    const data = dataOf(message);
    if (data !== undefined && target.writable && !target.write(data)) webSocket.pause();
  });
  webSocket.resume();
}

/** Sends the data of a stream as fast as the other side reads it. */
async function forward(source: Readable, webSocket: WebSocket, channel: number): Promise<void> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) await send(webSocket, channel, chunk);
  } catch {
    // The stream is broken, so only its end can be sent.
  }
}

function send(webSocket: WebSocket, channel: number, data: Uint8Array): Promise<void> {
  return new Promise((resolve) =>
    webSocket.send(messageOn(channel, data), { binary: true }, () => resolve()),
  );
}

function statusOf(status: object): Buffer {
  return Buffer.from(JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, ...status }));
}

const success = statusOf({ status: 'Success' });

function failure(reason: string, message: string, more: object = { code: 500 }): Buffer {
  return statusOf({ status: 'Failure', reason, message, ...more });
}

function exited(exitCode: number): Buffer {
  return failure('NonZeroExitCode', `command terminated with non-zero exit code: exit status ${exitCode}`, {
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  });
}
