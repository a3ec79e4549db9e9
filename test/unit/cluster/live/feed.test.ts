// The program that is loaded into operators, in a process of its own, and the socket that it talks to.
import { spawn, type ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { FeedServer } from '../../../../src/cluster/live/feed/feed-server.ts';
import type { FeedMessage } from '../../../../src/cluster/live/feed/messages.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Publishes as the runtime does: the numbers of runs that standard input asks for. */
const operator = `
  import { channel } from 'node:diagnostics_channel';
  import { createInterface } from 'node:readline';
  const kind = { group: 'example.com', version: 'v1', kind: 'Site', plural: 'sites', namespaced: true };
  channel('opsdk:controller').publish({ controller: 'site', for: kind, owns: [] });
  let count = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    for (let i = 0; i < Number(line); i++) {
      const error = Object.assign(new Error('x'.repeat(5000)), { findings: [{ code: 'kube/forbidden', fix: ['ask'] }] });
      channel('opsdk:reconcile').publish({
        controller: 'site', kind: 'Site', key: { name: String(count++), namespace: 'shop' }, reconcileID: 'id', attempt: 1,
        trigger: { type: 'owns', source: 'Deployment', event: 'update', object: { namespace: 'shop', name: 'web' } },
        start: new Date(5), duration: 1.23456, requests: 2, result: 'error', error, nextTry: new Date(7),
      });
      channel('opsdk:refusal').publish(error);
      channel('opsdk:queue').publish({ controller: 'site', depth: count });
    }
    console.log(process.env.OP_SDK_LIVE_FEED ?? 'none');
  }
`;

interface Feed {
  readonly server: FeedServer;
  readonly messages: FeedMessage[];
  readonly states: boolean[];
}

async function openFeed(): Promise<Feed> {
  const server = await FeedServer.open();
  ends.push(() => server.close());
  const feed: Feed = { server, messages: [], states: [] };
  server.listen({
    onMessage: (message) => feed.messages.push(message),
    onOperator: (running) => feed.states.push(running),
  });
  return feed;
}

function startOperator({ server }: Feed): ChildProcess & { publish(runs: number): Promise<string> } {
  const { nodeFlags, env } = server.operatorSettings;
  const args = [...nodeFlags, '--input-type=module', '--eval', operator];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 2],
  });
  // What it is asked may meet its end.
  child.stdin?.on('error', () => undefined);
  ends.push(() => child.kill('SIGKILL'));
  const publish = (runs: number): Promise<string> =>
    new Promise((resolve) => {
      child.stdout?.once('data', (text) => resolve(String(text).trim()));
      child.stdin?.write(`${runs}\n`);
    });
  return Object.assign(child, { publish });
}

const settings = { timeout: 10_000, interval: 20 };

test('an operator tells its last runs once somebody looks, and nothing before', async () => {
  const feed = await openFeed();
  const child = startOperator(feed);
  // Its children are not told where the feed is.
  expect(await child.publish(600)).toBe('none');
  await vi.waitFor(() => expect(feed.states).toEqual([true]), settings);
  expect(feed.messages).toEqual([]);
  feed.server.look(true);
  await vi.waitFor(() => expect(feed.messages).toHaveLength(1), settings);
  const [first] = feed.messages;
  expect(first).toMatchObject({ controllers: [{ name: 'site', owns: [] }], depths: { site: 600 } });
  expect(first?.dropped).toBeUndefined();
  expect(first?.runs?.map(({ name }) => name)).toEqual(
    Array.from({ length: 500 }, (_, i) => String(i + 100)),
  );
  expect(first?.runs?.[0]).toMatchObject({
    ...{ controller: 'site', namespace: 'shop', trigger: 'update of Deployment shop/web', start: 5 },
    ...{ duration: 1.23, requests: 2, result: 'error', nextTry: 7 },
    error: { message: 'x'.repeat(2000), code: 'kube/forbidden', fix: ['ask'] },
  });
  expect(first?.refusals).toHaveLength(500);
  await child.publish(700);
  await vi.waitFor(() => expect(feed.messages).toHaveLength(2), settings);
  expect(feed.messages[1]).toMatchObject({ dropped: 200, depths: { site: 1300 } });
  expect(feed.messages[1]?.controllers).toBeUndefined();
  feed.server.look(false);
  await child.publish(1);
  child.kill();
  await vi.waitFor(() => expect(feed.states).toEqual([true, false]), settings);
  expect(feed.messages).toHaveLength(2);
});

test('an operator ends as if there were no feed', async () => {
  const feed = await openFeed();
  feed.server.look(true);
  const child = startOperator(feed);
  await child.publish(1);
  await vi.waitFor(() => expect(feed.messages).toHaveLength(1), settings);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  expect(await exited).toBe(0);
});

test('an operator goes on without op-sdk', async () => {
  const feed = await openFeed();
  const child = startOperator(feed);
  await vi.waitFor(() => expect(feed.states).toEqual([true]), settings);
  await feed.server.close();
  expect(await child.publish(1)).toBe('none');
});

test('whoever sends something else is cut off', async () => {
  const feed = await openFeed();
  const socket = connect(feed.server.operatorSettings.env['OP_SDK_LIVE_FEED'] ?? '');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // Being cut off may look like a reset.
  socket.on('error', () => undefined);
  socket.resume();
  socket.write('GET / HTTP/1.1\n');
  await closed;
  expect(feed.messages).toEqual([]);
});
