// A client of Node's inspector: one WebSocket, written by hand because Node 20 has none.
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { eventually } from '../../src/testing/index.ts';

type Json = Record<string, unknown>;

/** A debugger that is attached to a process. */
export interface InspectorClient extends Disposable {
  /** Calls a method of the protocol. Source: https://chromedevtools.github.io/devtools-protocol/v8 */
  call(method: string, params?: Json): Promise<Json>;
  /** The next event of this name, those that have come already first. */
  event(method: string): Promise<Json>;
}

/** Attaches to the inspector on a port of this machine, as soon as there is one. */
export async function attachInspector(port: number): Promise<InspectorClient> {
  const [target] = await eventually(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
      return (await answer.json()) as { readonly webSocketDebuggerUrl: string }[];
    },
    { timeout: 60_000, interval: 50 },
  );
  if (target === undefined) throw new Error('the inspector has no target');
  return connected(await upgrade(new URL(target.webSocketDebuggerUrl)));
}

function upgrade({ hostname, port, pathname }: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    };
    request({ hostname, port, path: pathname, headers })
      .on('upgrade', (_response, socket: Socket) => resolve(socket))
      .on('response', ({ statusCode }) => reject(new Error(`no WebSocket: ${statusCode}`)))
      .on('error', reject)
      .end();
  });
}

function connected(socket: Socket): InspectorClient {
  let id = 0;
  const calls = new Map<number, { resolve: (result: Json) => void; reject: (error: Error) => void }>();
  const events: { readonly method: string; readonly params: Json }[] = [];
  const waiting: { readonly method: string; readonly resolve: (params: Json) => void }[] = [];
  const onMessage = (text: string): void => {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Json;
      result?: Json;
      error?: Json;
    };
    if (message.id !== undefined) {
      const { resolve, reject } = calls.get(message.id) ?? {};
      if (message.error === undefined) resolve?.(message.result ?? {});
      else reject?.(new Error(JSON.stringify(message.error)));
      return;
    }
    const { method = '', params = {} } = message;
    const index = waiting.findIndex((each) => each.method === method);
    if (index === -1) events.push({ method, params });
    else waiting.splice(index, 1)[0]?.resolve(params);
  };
  socket.on('data', frames(onMessage)).on('error', () => undefined);
  return {
    call: (method, params = {}) =>
      new Promise((resolve, reject) => {
        calls.set(++id, { resolve, reject });
        socket.write(textFrame(JSON.stringify({ id, method, params })));
      }),
    event: (method) =>
      new Promise((resolve) => {
        const index = events.findIndex((each) => each.method === method);
        const found = index === -1 ? undefined : events.splice(index, 1)[0];
        if (found === undefined) waiting.push({ method, resolve });
        else resolve(found.params);
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** A whole message, masked as clients must. Source: RFC 6455, 5.2 */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([Buffer.from([0x81]), length, mask, masked]);
}

/** Puts the frames of a server together, which are not masked; control frames are passed over. */
function frames(onMessage: (text: string) => void): (part: Buffer) => void {
  let buffer = Buffer.alloc(0);
  let message = '';
  return (part) => {
    buffer = Buffer.concat([buffer, part]);
    for (;;) {
      if (buffer.length < 2) return;
      const [first = 0, second = 0] = buffer;
      const short = second & 0x7f;
      const start = short === 126 ? 4 : short === 127 ? 10 : 2;
      if (buffer.length < start) return;
      const length =
        short === 126 ? buffer.readUInt16BE(2) : short === 127 ? Number(buffer.readBigUInt64BE(2)) : short;
      if (buffer.length < start + length) return;
      const payload = buffer.toString('utf8', start, start + length);
      buffer = buffer.subarray(start + length);
      if ((first & 0x0f) > 2) continue;
      message += payload;
      if ((first & 0x80) === 0) continue;
      onMessage(message);
      message = '';
    }
  };
}
