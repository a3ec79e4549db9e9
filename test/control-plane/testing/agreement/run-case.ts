import { setTimeout as sleep } from 'node:timers/promises';
import type { Transport } from '../../../../src/sdk/kube/transport/transport.ts';
import type { Case, Loose, Reply, Step, WatchStep } from './case.ts';
import { Normalizer } from './normalize.ts';

/** A server that cases are run against. */
export interface Side {
  readonly transport: Transport;
  /** Makes a namespace of its own for a case. */
  namespace(): Promise<string>;
  /** Lets happen what happens in its own time, such as garbage collection. */
  settle(): Promise<void>;
}

/** The answers to all steps of a case, normalised. */
export async function runCase(side: Side, { steps }: Case): Promise<readonly unknown[]> {
  const namespace = await side.namespace();
  const normalizer = new Normalizer(namespace);
  const replies: Reply[] = [];
  const watches: { readonly index: number; readonly events: Promise<readonly unknown[]> }[] = [];
  const results: unknown[] = [];
  for (const step of steps) {
    const made = placed(typeof step === 'function' ? step(replies) : step, namespace);
    if ('watch' in made) {
      watches.push({ index: results.length, ...(await openWatch(side.transport, made)) });
      results.push(undefined);
      continue;
    }
    const reply = await send(side, made);
    replies.push(reply);
    results.push(reply);
  }
  for (const { index, events } of watches) results[index] = await events;
  return results.map((result) =>
    Array.isArray(result) ? normalizer.value(comparable(result)) : normalizer.reply(result as Reply),
  );
}

/** Events whose bookmarks only tell whether they are up to date: their version is that of the whole server, which others change too. */
function comparable(events: readonly Loose[]): readonly Loose[] {
  let newest = 0n;
  return events.map((event) => {
    const version = BigInt(event.object.metadata.resourceVersion);
    if (event.type !== 'BOOKMARK') {
      newest = version > newest ? version : newest;
      return event;
    }
    const { resourceVersion: _resourceVersion, ...metadata } = event.object.metadata;
    return { ...event, object: { ...event.object, metadata }, isUpToDate: version >= newest };
  });
}

function placed(step: Step | WatchStep, namespace: string): Step | WatchStep {
  return JSON.parse(JSON.stringify(step).replaceAll('$NS', namespace)) as Step | WatchStep;
}

async function send(side: Side, step: Step): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    if (step.until !== undefined) await side.settle();
    const reply = await exchange(side.transport, step);
    if (step.until === undefined || reply.status === step.until) return reply;
    if (tries > 300) throw new Error(`${step.path}: expected status ${step.until}, got ${reply.status}`);
    await sleep(100);
  }
}

async function exchange(transport: Transport, { method, path, body, type, accept }: Step): Promise<Reply> {
  const response = await transport.request({
    method,
    path,
    headers: {
      accept: accept ?? 'application/json',
      'user-agent': 'agreement/1.0',
      ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    timeout: 30_000,
  });
  const text = response.body.toString('utf8');
  const warning = response.headers['warning'];
  const parsed = text.startsWith('{') ? (JSON.parse(text) as unknown) : text.trim();
  return { status: response.status, body: warning === undefined ? parsed : { warning, parsed } };
}

/** Begins a watch; its events come when so many have been read, or after 20 seconds. */
async function openWatch(
  transport: Transport,
  { watch, events }: WatchStep,
): Promise<{ readonly events: Promise<readonly unknown[]> }> {
  const headers = { accept: 'application/json', 'user-agent': 'agreement/1.0' };
  const stream = await transport.stream({ method: 'GET', path: watch, headers });
  const late = setTimeout(() => stream.cancel(), 20_000);
  const found: unknown[] = [];
  let text = '';
  const reading = stream.read((chunk) => {
    text += chunk.toString('utf8');
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 1);
      const event = JSON.parse(line);
      // Bookmarks of progress come when the server likes.
      const isProgress = event.type === 'BOOKMARK' && event.object.metadata.annotations === undefined;
      if (found.length < events && !isProgress) found.push(event);
    }
    if (found.length >= events) stream.cancel();
  });
  const ended = reading.finally(() => clearTimeout(late));
  return { events: ended.then(() => found) };
}
