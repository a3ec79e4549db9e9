// Commands at servers of the protocols v4 and v5, which differ in the end of stdin. Every supported API server speaks v5.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { ApiClient, messageOn, openConnection } from '../../../../../src/sdk/kube/index.ts';
import { TransportError } from '../../../../../src/sdk/kube/transport/transport-error.ts';
import { plainCluster } from '../support/scripted-server.ts';

const pod = { name: 'web', namespace: 'ns' };
const [v4, v5] = ['v4.channel.k8s.io', 'v5.channel.k8s.io'];

/** A command as a server runs it: gets the messages of its client, and sends some. */
type Command = (webSocket: WebSocket, request: IncomingMessage) => void;

const send = (webSocket: WebSocket, channel: number, text: string): void =>
  webSocket.send(messageOn(channel, Buffer.from(text)), { binary: true });

/** Sends an output, and an exit code as nodes do. */
function exit(webSocket: WebSocket, exitCode: number, stdout = ''): void {
  send(webSocket, 1, stdout);
  const failure = {
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
  send(webSocket, 3, JSON.stringify({ metadata: {}, ...(exitCode === 0 ? { status: 'Success' } : failure) }));
  webSocket.close(1000);
}

/** Server of commands that speaks one protocol. It refuses others as Kubernetes does, or accepts them without a protocol. */
async function serve(protocol: string, command: Command, { refuses = true } = {}) {
  const http = createServer();
  const commands: string[] = [];
  const webSockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => offered.has(protocol) && protocol,
  });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const offered = request.headers['sec-websocket-protocol'] ?? '';
    if (!offered.split(',').includes(protocol) && refuses) {
      const text = `requested protocol(s) are not supported: [${offered}]; supports [${protocol}]`;
      return void socket.end(`HTTP/1.1 403 Forbidden\r\n\r\n${text}`);
    }
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (webSocket.protocol !== protocol) return;
      commands.push(request.url ?? '');
      command(webSocket, request);
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const connection = openConnection(plainCluster((http.address() as AddressInfo).port));
  return {
    client: new ApiClient(connection, 'test'),
    commands,
    async [Symbol.asyncDispose]() {
      await connection.close();
      for (const webSocket of webSockets.clients) webSocket.terminate();
      http.close();
    },
  };
}

test.each([0, 7, 137])('a server of version 4 gives the output and the exit code %d', async (exitCode) => {
  await using setup = await serve(v4, (webSocket) => exit(webSocket, exitCode, 'out'));
  const result = await setup.client.exec(pod, { command: ['ls', '-l'] });
  expect(result).toEqual({ exitCode, stdout: 'out', stderr: '' });
  expect(setup.commands).toEqual([
    '/api/v1/namespaces/ns/pods/web/exec?command=ls&command=-l&stdout=true&stderr=true',
  ]);
});

test.each([{ refuses: true }, { refuses: false }])(
  'a command with an input does not begin on version 4, which could not send its end: $refuses',
  async (options) => {
    await using setup = await serve(v4, (webSocket) => exit(webSocket, 0), options);
    await expect(setup.client.exec(pod, { command: ['cat'], stdin: 'text' })).rejects.toMatchObject({
      code: 'kube/bad-response',
      findings: [
        {
          message: `create pods/exec ns/web: expected a server that speaks ${v5}, got one that does not`,
          fix: [expect.stringContaining('Kubernetes 1.30') as string],
        },
      ],
    });
    expect(setup.commands).toEqual([]);
  },
);

test('a server of version 5 gets the end of the input', async () => {
  await using setup = await serve(v5, (webSocket) => {
    const messages: string[] = [];
    webSocket.on('message', (message: Buffer) => {
      messages.push(message.toString('hex'));
      if (message[0] === 255) exit(webSocket, 0, messages.join(' '));
    });
  });
  const { stdout } = await setup.client.exec(pod, { command: ['cat'], stdin: 'A' });
  expect(stdout).toBe('0041 ff00');
});

test('every type of answer is accepted, since kubelets do not offer JSON', async () => {
  await using setup = await serve(v5, (webSocket, { headers }) => exit(webSocket, 0, headers.accept));
  expect((await setup.client.exec(pod, { command: ['ls'] })).stdout).toBe('*/*');
});

test.each([v4, v5])('a connection of %s that ends without a status is lost', async (protocol) => {
  await using setup = await serve(protocol, (webSocket) => {
    send(webSocket, 1, 'part');
    webSocket.close(1000);
  });
  await expect(setup.client.exec(pod, { command: ['ls'] })).rejects.toMatchObject({
    code: 'kube/connection-lost',
    message: expect.stringContaining('before the command had ended') as string,
  });
});

test.each([v4, v5])('an abort closes a connection of %s', async (protocol) => {
  const stop = new AbortController();
  const reason = new Error('enough');
  let closed: Promise<unknown> | undefined;
  await using setup = await serve(protocol, (webSocket) => {
    closed = once(webSocket, 'close');
    stop.abort(reason);
  });
  const running = setup.client.exec(pod, { command: ['sleep'], signal: stop.signal });
  await expect(running).rejects.toBe(reason);
  await closed;
});

test('an error of the source of the input ends the command, also one of another request', async () => {
  await using setup = await serve(v5, () => undefined);
  const broken = new TransportError('kube/connection-lost', 'the log broke');
  async function* source(): AsyncGenerator<string> {
    yield 'first';
    await Promise.reject(broken);
  }
  await expect(setup.client.exec(pod, { command: ['cat'], stdin: source() })).rejects.toBe(broken);
});

test('a stream for the output that is closed already is an error', async () => {
  await using setup = await serve(v5, (webSocket) => exit(webSocket, 0, 'out'));
  const stdout = new PassThrough().destroy();
  await expect(setup.client.exec(pod, { command: ['ls'], stdout })).rejects.toThrow('was closed');
});
