import { createServer, type IncomingMessage } from 'node:http';
import { createSign, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '../../../src/sdk/x509/certificate-authority.ts';

/** A token server, and what it was asked. */
export interface TokenServer extends AsyncDisposable {
  /** The realm for the registry's configuration. */
  readonly realm: string;
  /** Paths with query of all requests so far. */
  readonly requests: readonly string[];
}

export interface TokenServerOptions {
  readonly user: string;
  readonly password: string;
  readonly issuer: string;
  /** Signs the tokens; the registry trusts its certificate. */
  readonly keyPair: KeyPair;
  /** Seconds that a token lives. Default: 60. */
  readonly lifetime?: number;
}

/**
 * Issues tokens as the distribution project describes it: who gives the password may do what is asked, others may pull.
 * @see https://distribution.github.io/distribution/spec/auth/token/
 */
export async function startTokenServer(options: TokenServerOptions): Promise<TokenServer> {
  const requests: string[] = [];
  const basic = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const { authorization } = request.headers;
    if (authorization !== undefined && authorization !== basic) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ errors: [{ code: 'UNAUTHORIZED', message: 'wrong user or password' }] }));
      return;
    }
    const lifetime = options.lifetime ?? 60;
    const token = signedToken(request, authorization !== undefined, lifetime, options);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ token, expires_in: lifetime }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    realm: `http://127.0.0.1:${port}/token`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function signedToken(
  request: IncomingMessage,
  known: boolean,
  lifetime: number,
  { issuer, user, keyPair }: TokenServerOptions,
): string {
  const query = new URL(request.url ?? '', 'http://token').searchParams;
  const access = query
    .getAll('scope')
    .flatMap((scope) => scope.split(' '))
    .map((scope) => {
      const [type = '', ...rest] = scope.split(':');
      const actions = rest.pop()?.split(',') ?? [];
      return { type, name: rest.join(':'), actions: known ? actions : ['pull'] };
    });
  const now = Math.floor(Date.now() / 1000);
  const certificate = keyPair.certificate.replace(/-----[^-]+-----|\s/g, '');
  const header = { typ: 'JWT', alg: 'ES256', x5c: [certificate] };
  const claims = {
    iss: issuer,
    sub: known ? user : '',
    aud: query.get('service') ?? '',
    iat: now,
    nbf: now - 10,
    exp: now + lifetime,
    jti: randomUUID(),
    access,
  };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${encode(header)}.${encode(claims)}`;
  // JWTs carry the two numbers of an ECDSA signature side by side, not as DER.
  const signature = createSign('SHA256')
    .update(text)
    .sign({ key: keyPair.key, dsaEncoding: 'ieee-p1363' })
    .toString('base64url');
  return `${text}.${signature}`;
}
