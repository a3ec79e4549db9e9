// Stands for an operator that serves webhooks: HTTPS with the certificate that it was given, defaulting and conversion of one kind.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import type { ControlPlaneWebhooks } from '../../src/testing/index.ts';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly Record<string, unknown>[];
  };
}

/** Sets `spec.defaulted` to `by webhook` at /mutat…, gives objects the version that is asked for at /convert, and allows everything elsewhere. */
export async function serveWebhooks({
  host,
  port,
  certificate: { folder, certificate, key },
}: ControlPlaneWebhooks): Promise<AsyncDisposable> {
  const [cert, keyText] = await Promise.all([
    readFile(join(folder, certificate)),
    readFile(join(folder, key)),
  ]);
  const server = createServer({ cert, key: keyText }, (incoming, answer) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      const { apiVersion, kind, request } = JSON.parse(text) as Review;
      const { uid } = request;
      const { url = '' } = incoming;
      const response = url.startsWith('/convert')
        ? converted(request)
        : url.startsWith('/mutat')
          ? defaulted(uid)
          : { uid, allowed: true };
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify({ apiVersion, kind, response }));
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: () => {
      // The API server keeps its connections for 90 seconds: nobody waits for those.
      server.close();
      server.closeAllConnections();
      return Promise.resolve();
    },
  };
}

function defaulted(uid: string): object {
  const patch = [{ op: 'add', path: '/spec/defaulted', value: 'by webhook' }];
  const text = Buffer.from(JSON.stringify(patch)).toString('base64');
  return { uid, allowed: true, patchType: 'JSONPatch', patch: text };
}

function converted({ uid, desiredAPIVersion, objects = [] }: Review['request']): object {
  const convertedObjects = objects.map((object) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: { ...(object['spec'] as object), convertedTo: desiredAPIVersion },
  }));
  return { uid, result: { status: 'Success' }, convertedObjects };
}
