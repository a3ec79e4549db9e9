import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';

export interface HttpsAnswer {
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The certificate of the server, DER. */
  readonly certificate: Buffer;
}

/** GET over HTTPS from a port of this machine, on a connection of its own; the certificate is not checked. */
export async function httpsGet(
  port: number | undefined,
  path: string,
  options: RequestOptions = {},
): Promise<HttpsAnswer> {
  return new Promise((resolve, reject) => {
    let certificate: Buffer = Buffer.alloc(0);
    const sent = request(
      { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false, ...options },
      (response) => {
        const { statusCode: status, headers } = response;
        text(response).then((body) => resolve({ status, text: body, headers, certificate }), reject);
      },
    );
    sent.on('socket', (socket) => {
      socket.once('secureConnect', () => {
        if ('getPeerCertificate' in socket)
          certificate = (socket as unknown as { getPeerCertificate(): { raw: Buffer } }).getPeerCertificate()
            .raw;
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** The header for a bearer token. */
export function bearer(token: string): RequestOptions {
  return { headers: { authorization: `Bearer ${token}` } };
}
