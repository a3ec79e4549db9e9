import { request as httpsRequest } from 'node:https';

/** The address of an API server, and the credentials for it. */
export interface ApiEndpoint {
  readonly url: string;
  readonly caCertificate: string;
  readonly credentials: { readonly certificate: string; readonly key: string };
}

interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
  /** Time limit in milliseconds. Default: 10,000. */
  readonly timeout?: number;
}

interface ApiResponse {
  readonly status: number;
  readonly text: string;
  /** Parses the response body as JSON. */
  json(): unknown;
}

/**
 * Sends one request on its own connection. Used to set up a control plane, before a client exists and while the API server is restarted. A
 * response is returned regardless of its status.
 * @throws Error if the connection fails or `timeout` passes
 */
export function apiRequest(endpoint: ApiEndpoint, request: ApiRequest): Promise<ApiResponse> {
  const body = request.body === undefined ? undefined : JSON.stringify(request.body);
  return new Promise((resolve, reject) => {
    const outgoing = httpsRequest(
      new URL(request.path, endpoint.url),
      {
        method: request.method ?? 'GET',
        ca: endpoint.caCertificate,
        cert: endpoint.credentials.certificate,
        key: endpoint.credentials.key,
        agent: false,
        signal: AbortSignal.timeout(request.timeout ?? 10_000),
        headers: {
          accept: 'application/json',
          ...(body === undefined
            ? {}
            : {
                'content-type': request.contentType ?? 'application/json',
                'content-length': Buffer.byteLength(body),
              }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, json: () => JSON.parse(text) as unknown });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
