import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RespClient, RespError } from '../../src/redis/resp-client.ts';

describe('RespClient', () => {
  const servers: Server[] = [];
  const clients: RespClient[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    for (const client of clients.splice(0)) client.close();
    for (const server of servers.splice(0)) await close(server);
  });
  const close = (server: Server): Promise<void> =>
    new Promise((resolve) => void server.close(() => resolve()));
  const clientOf = ({ port }: AddressInfo): RespClient => {
    const client = new RespClient({ host: '127.0.0.1', port });
    clients.push(client);
    return client;
  };
  const listen = async (): Promise<Server> => {
    const server = createServer();
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };

  /** Connects a client to a server, which the test plays. */
  const connect = async (): Promise<{ readonly client: RespClient; readonly server: Socket }> => {
    const listener = await listen();
    const connection = once(listener, 'connection');
    const client = clientOf(listener.address() as AddressInfo);
    const [server] = (await connection) as [Socket];
    sockets.push(server);
    return { client, server: server.setNoDelay() };
  };
  /** Sends a command, and lets the server answer with a text. */
  const ask = async (answer: string) => {
    const { client, server } = await connect();
    const value = client.call('PING');
    server.write(answer);
    return { client, value };
  };

  test('sends words as bulk strings', async () => {
    const { client, server } = await connect();
    void client.call('SET', 'ключ', 5).catch(() => undefined);
    const [data] = (await once(server, 'data')) as [Buffer];
    expect(data.toString()).toBe('*3\r\n$3\r\nSET\r\n$8\r\nключ\r\n$1\r\n5\r\n');
  });

  test.each([
    ['+OK\r\n', 'OK'],
    [':16384\r\n', 16_384],
    ['$8\r\nключ\r\n', 'ключ'],
    ['$0\r\n\r\n', ''],
    ['$-1\r\n', null],
    ['*-1\r\n', null],
    ['*0\r\n', []],
    ['*3\r\n$1\r\na\r\n*1\r\n:1\r\n$-1\r\n', ['a', [1], null]],
  ])('reads %j', async (answer, value) => {
    await expect((await ask(answer)).value).resolves.toEqual(value);
  });

  test('reads an answer that comes in parts', async () => {
    const { client, server } = await connect();
    const value = client.call('KEYS', '*');
    for (const byte of Buffer.from('*2\r\n$8\r\nключ\r\n+b\r\n')) {
      server.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect(await value).toEqual(['ключ', 'b']);
  });

  test('gives each command its answer', async () => {
    const { client, server } = await connect();
    const values = Promise.allSettled([client.call('A'), client.call('B'), client.call('C')]);
    server.write('+a\r\n-ERR no\r\n+c\r\n');
    expect(await values).toMatchObject([{ value: 'a' }, { reason: { message: 'ERR no' } }, { value: 'c' }]);
    expect(client.isOpen).toBe(true);
  });

  test('throws errors of the server, also those within an array', async () => {
    const refused = (await ask('-MOVED 1 10.0.0.1:6379\r\n')).value;
    await expect(refused).rejects.toThrow(new RespError('MOVED 1 10.0.0.1:6379'));
    const { client, value } = await ask('*3\r\n+a\r\n-ERR first\r\n-ERR second\r\n+next\r\n');
    const next = client.call('NEXT');
    await expect(value).rejects.toThrow(new RespError('ERR first'));
    expect(await next).toBe('next');
  });

  test('ends a connection to something else', async () => {
    const { client, value } = await ask('HTTP/1.1 400 Bad Request\r\n');
    await expect(value).rejects.toThrow('expected an answer of Redis, got "HTTP/1.1 400 Bad Request"');
    expect(client.isOpen).toBe(false);
  });

  test('fails all calls when the server closes the connection', async () => {
    const { client, server } = await connect();
    const calls = Promise.allSettled([client.call('A'), client.call('B')]);
    server.end();
    const closed = { reason: { message: expect.stringContaining('has closed the connection') as string } };
    expect(await calls).toMatchObject([closed, closed]);
    expect(client.isOpen).toBe(false);
    await expect(client.call('C')).rejects.toThrow('has closed the connection');
  });

  test('fails all calls when it is closed', async () => {
    const { client } = await connect();
    const call = client.call('A');
    client.close();
    await expect(call).rejects.toThrow('has closed the connection');
  });

  test('fails when nobody listens', async () => {
    const listener = await listen();
    const address = listener.address() as AddressInfo;
    await close(listener);
    const client = clientOf(address);
    await expect(client.call('PING')).rejects.toThrow('ECONNREFUSED');
    expect(client.isOpen).toBe(false);
  });
});
