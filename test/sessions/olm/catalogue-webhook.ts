import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** The label that the webhook gives to each catalogue. */
export const nameLabel = 'olm.operatorframework.io/metadata.name';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly object: {
      readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    };
  };
}

export interface CatalogueWebhookOptions {
  readonly certificate: string;
  readonly key: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Default: all addresses of this machine. */
  readonly host?: string;
}

/** Serves catalogd's webhook: it labels catalogues with their names. */
export async function serveCatalogueWebhook({
  certificate,
  key,
  port = 0,
  host,
}: CatalogueWebhookOptions): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer({ cert: certificate, key }, (incoming, answer) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify(answerTo(JSON.parse(text) as Review)));
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => {
      server.close();
      server.closeAllConnections();
      return Promise.resolve();
    },
  };
}

function answerTo({ apiVersion, kind, request: { uid, object } }: Review): object {
  const { name, labels = {} } = object.metadata;
  const patch = [{ op: 'add', path: '/metadata/labels', value: { ...labels, [nameLabel]: name } }];
  const text = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { apiVersion, kind, response: { uid, allowed: true, patchType: 'JSONPatch', patch: text } };
}
