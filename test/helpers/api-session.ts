import { Agent, request } from 'node:https';
import type { ApiEndpoint } from '../../src/testing/http/api-request.ts';

export interface SessionAnswer {
  readonly status: number;
  readonly text: string;
  /** The warnings that came with the answer; '' for none. */
  readonly warning: string;
}

/** Many requests to an API server on a few connections; ask as much at once as you like. */
export interface ApiSession extends Disposable {
  /** A `PATCH` is a merge patch. */
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<SessionAnswer>;
}

/** @param connections how many requests are under way at once */
export function apiSession(endpoint: ApiEndpoint, connections = 6): ApiSession {
  const { certificate, key } = endpoint.credentials;
  const agent = new Agent({
    keepAlive: true,
    maxSockets: connections,
    ca: endpoint.caCertificate,
    cert: certificate,
    key,
  });
  const send: ApiSession['send'] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const content = body === undefined ? undefined : JSON.stringify(body);
      const headers: Record<string, string> = { accept: 'application/json' };
      if (content !== undefined)
        headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const outgoing = request(new URL(path, endpoint.url), { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, text, warning: String(answered['warning'] ?? '') });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(content);
    });
  return { send, [Symbol.dispose]: () => agent.destroy() };
}
