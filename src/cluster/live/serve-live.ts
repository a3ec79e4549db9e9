import { pageFiles, PageServer, type PageAnswer } from '../../base/pages/index.ts';
import type { LiveSession } from './live-session.ts';

/** Serves the page of a session. `close` the server in the end. */
export async function serveLive(session: LiveSession): Promise<PageServer> {
  const files = await pageFiles('live');
  return PageServer.open({
    answer: ({ path, query }): PageAnswer | undefined => {
      if (path === 'stream') return { stream: (stream) => session.join((news) => stream.send(news)) };
      if (path !== 'object') return files.get(path);
      const details = session.details(query.get('id') ?? '');
      return details && { type: 'application/json', body: JSON.stringify(details) };
    },
  });
}
