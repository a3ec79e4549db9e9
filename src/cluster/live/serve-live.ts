import { pageFiles, PageServer, type PageAnswer } from '../../base/pages/index.ts';
import type { JsonMap } from '../../base/util/json-map.ts';
import type { LiveSession } from './live-session.ts';

/** Serves the page of a session. The caller must `close` the returned server in the end. */
export async function serveLive(session: LiveSession): Promise<PageServer> {
  const files = await pageFiles('live');
  return PageServer.open({
    answer: async ({ path, query }): Promise<PageAnswer | undefined> => {
      const id = query.get('id') ?? '';
      if (path === 'stream') return { stream: (stream) => session.join((news) => stream.send(news)) };
      if (path === 'object') return jsonAnswer(session.details(id));
      if (path !== 'log') return files.get(path);
      const container = query.get('container') ?? '';
      return jsonAnswer(await session.log(id, container, query.get('previous') === 'true'));
    },
    actions: new Map([['act', (body) => statusOf(session, body)]]),
  });
}

function jsonAnswer(value: object | undefined): PageAnswer | undefined {
  return value && { type: 'application/json', body: JSON.stringify(value) };
}

/** Runs the action that a page requests. @returns the HTTP status of the response */
function statusOf(session: LiveSession, { id, action, pressed }: JsonMap): number {
  if (typeof id !== 'string' || typeof action !== 'string') return 400;
  const done = session.act(id, action, pressed === true);
  if (done === undefined) return 404;
  return done ? 204 : 400;
}
