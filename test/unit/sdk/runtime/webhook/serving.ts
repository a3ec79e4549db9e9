import { request, type Agent, type RequestOptions } from 'node:https';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ControllerClient } from '../../../../../src/sdk/runtime/client/index.ts';
import {
  serveWebhooks,
  type WebhookServer,
  type WebhookServerOptions,
} from '../../../../../src/sdk/runtime/webhook/server/index.ts';
import {
  createCertificateAuthority,
  type KeyPair,
} from '../../../../../src/sdk/x509/certificate-authority.ts';
import { memoryLog, type LogLine } from '../memory-log.ts';

export const authority = createCertificateAuthority('webhook test');

export const issue = (): KeyPair =>
  authority.issue({
    commonName: 'localhost',
    usage: 'server',
    ipAddresses: ['127.0.0.1'],
    dnsNames: ['localhost'],
  });

/** A folder with a certificate, as a mounted Secret. */
export class CertificateFolder implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'opsdk-webhook-'));
  #pair = issue();

  constructor() {
    this.write(this.#pair);
  }

  write({ certificate, key }: KeyPair): void {
    writeFileSync(join(this.folder, 'tls.crt'), certificate);
    writeFileSync(join(this.folder, 'tls.key'), key);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true });
  }
}

export interface Served extends WebhookServer, AsyncDisposable {
  readonly lines: readonly LogLine[];
  readonly files: CertificateFolder;
}

/** Serves webhooks on a free port, with a certificate of its own. */
export async function serve(
  items: WebhookServerOptions['items'],
  options: Partial<WebhookServerOptions> = {},
): Promise<Served> {
  const { log, lines } = memoryLog();
  const files = new CertificateFolder();
  const server = await serveWebhooks({
    items,
    port: 0,
    host: '127.0.0.1',
    certificate: { folder: files.folder },
    http2: false,
    connection: { request: () => Promise.reject(new Error('there is no API server')) },
    stored: { find: () => Promise.reject(new Error('there is no API server')) },
    clientFor: (signal) => ({ signal }) as unknown as ControllerClient,
    log,
    signal: new AbortController().signal,
    gracePeriod: 10_000,
    ...options,
  });
  return {
    ...server,
    lines,
    files,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      files[Symbol.dispose]();
    },
  };
}

export interface Posted {
  readonly status: number | undefined;
  readonly json: { readonly response?: { readonly allowed?: unknown; readonly status?: { code: number } } };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** POSTs JSON, or text as it is, on a connection of its own unless an agent is given. */
export async function post(
  port: number | undefined,
  path: string,
  body: unknown,
  { agent = false, ...options }: RequestOptions & { readonly agent?: Agent | false } = {},
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        ca: authority.certificate,
        agent,
        ...options,
        headers: { 'content-type': 'application/json', ...options.headers },
      },
      (response) => {
        const { statusCode: status, headers } = response;
        text(response).then((given) => {
          resolve({ status, headers, json: (given === '' ? {} : JSON.parse(given)) as Posted['json'] });
        }, reject);
      },
    );
    sent.on('error', reject);
    sent.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}
