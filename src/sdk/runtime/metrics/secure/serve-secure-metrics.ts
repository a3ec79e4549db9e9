import { createHash } from 'node:crypto';
import { createCertificateAuthority, type KeyPair } from '../../../x509/certificate-authority.ts';
import { watchCertificate, type CertificatePurpose } from '../../certificate/index.ts';
import type { Answer, Answerer, RunningServer } from '../../http/index.ts';
import { serveSecure } from '../../http/secure-server.ts';
import type { ServerPurpose } from '../../http/serve.ts';
import type { ServeMetricsOptions } from '../metrics-options.ts';
import { OpSdkError, type Finding } from '../../../../base/errors/index.ts';
import { isForbidden, ownAccess, type Connection } from '../../../kube/index.ts';
import type { TokenReviewStatus, UserInfo } from '../../../k8s/generated/authentication/v1.ts';
import type { SubjectAccessReviewStatus } from '../../../k8s/generated/authorization/v1.ts';
import { systemClock, type Clock } from '../../../net/index.ts';
import type { Logger } from '../../create-logger.ts';

const certificatePurpose: CertificatePurpose = {
  name: 'metrics',
  flag: '--metrics-cert',
  otherwise: 'or leave --metrics-cert-path out: a self-signed certificate is used then',
};

interface SecureMetricsOptions extends ServeMetricsOptions {
  readonly purpose: ServerPurpose;
  /** Returns the response with the metrics, for callers that are authorized. */
  readonly answer: () => Promise<Answer>;
}

/** Serves `/metrics` over HTTPS to authorized callers. @throws OpSdkError `runtime/cannot-listen`, `runtime/certificate-unreadable` */
export async function serveSecureMetrics(options: SecureMetricsOptions): Promise<RunningServer> {
  const { settings, connection, log, report, purpose, answer } = options;
  const { address, http2 } = settings;
  const closed = new AbortController();
  const reviews = new AccessReviews({ connection, log, signal: closed.signal });
  const reviewed: Answerer = async (url, { method = 'GET', headers }) => {
    if (url.pathname !== '/metrics') return undefined;
    const refusal = await reviews.refusal(headers.authorization, method, url.pathname);
    return refusal ?? answer();
  };
  const files =
    settings.certificate === undefined
      ? undefined
      : await watchCertificate(settings.certificate, {
          purpose: certificatePurpose,
          log,
          onChange: (pair) => server.renew(pair),
        });
  const certificate = files?.pair ?? selfSigned();
  const server = await serveSecure({ purpose, address, answer: reviewed, report, certificate, http2 }).catch(
    (error: unknown) => {
      void files?.stop();
      throw error;
    },
  );
  // The server starts without waiting for this check.
  void reviews.checkRights();
  return {
    port: server.port,
    close: async () => {
      void files?.stop();
      closed.abort(new Error('the server for metrics is closed'));
      await server.close();
    },
  };
}

/**
 * Creates a certificate for `localhost` that only encrypts the connection, like the one of controller-runtime. Clients that authenticate
 * the server require certificate files instead.
 */
function selfSigned(): KeyPair {
  const authority = createCertificateAuthority('op-sdk metrics');
  const server = authority.issue({
    commonName: 'localhost',
    usage: 'server',
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1', '::1'],
  });
  return { certificate: server.certificate + authority.certificate, key: server.key };
}

/**
 * Milliseconds for which a result of the API server (allowed, refused) is cached. After a permission is revoked, access ends within a
 * minute.
 */
const ALLOWED_MS = 60_000;
const REFUSED_MS = 30_000;
/** Maximum number of cached results, so that invented tokens cannot fill the memory. */
const KEPT = 256;
/** Maximum number of concurrent reviews, so that callers cannot block the operator's own requests. */
const AT_A_TIME = 16;
/** Time limit of a review, in milliseconds. Source: controller-runtime `pkg/metrics/filters`. */
const TIMEOUT_MS = 10_000;
/** Milliseconds within which the same failure is not logged again. */
const QUIET_MS = 60_000;

/** Review resources, which the operator must be allowed to create. */
const reviews = [
  { group: 'authentication.k8s.io', plural: 'tokenreviews' },
  { group: 'authorization.k8s.io', plural: 'subjectaccessreviews' },
] as const;

interface AccessReviewsOptions {
  readonly connection: Pick<Connection, 'request'>;
  readonly log: Logger;
  /** Aborts running reviews. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

interface Kept {
  readonly refusal: Promise<Answer | undefined>;
  /** Time until which this result is valid, in milliseconds of the clock; Infinity while the review is running. */
  until: number;
}

/**
 * Authenticates the owner of a bearer token (TokenReview) and checks whether that user may read a path (SubjectAccessReview), with requests
 * to the API server. Semantics: controller-runtime `pkg/metrics/filters`, `WithAuthenticationAndAuthorization`.
 */
export class AccessReviews {
  readonly #options: AccessReviewsOptions;
  readonly #clock: Clock;
  /** Results by a digest of the token, so that tokens of callers are not stored. */
  readonly #kept = new Map<string, Kept>();
  readonly #logged = new Map<string, number>();
  #running = 0;

  constructor(options: AccessReviewsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Returns the response for a refused caller: 401 without a valid token, 403 without the permission, 500 if the review fails. Returns
   * undefined if the caller is allowed.
   */
  async refusal(
    authorization: string | undefined,
    method: string,
    path: string,
  ): Promise<Answer | undefined> {
    const token = /^bearer +([^ ]+)/i.exec(authorization ?? '')?.[1];
    if (token === undefined) return unauthorized;
    const verb = method.toLowerCase();
    const id = createHash('sha256').update(`${verb} ${path} ${token}`).digest('base64');
    const known = this.#kept.get(id);
    if (known !== undefined && known.until > this.#clock.now()) return known.refusal;
    if (this.#running >= AT_A_TIME) return { status: 503, body: 'too many reviews of tokens\n' };
    this.#running += 1;
    const kept: Kept = {
      until: Infinity,
      refusal: this.#review(token, verb, path).then(
        (refusal) => {
          kept.until = this.#clock.now() + (refusal === undefined ? ALLOWED_MS : REFUSED_MS);
          return refusal;
        },
        (error: unknown) => {
          this.#kept.delete(id);
          if (!this.#options.signal.aborted) this.#report(error);
          return { status: 500, body: "the review of the token failed; the operator's log says why\n" };
        },
      ),
    };
    this.#keep(id, kept);
    return kept.refusal.finally(() => (this.#running -= 1));
  }

  /**
   * Logs an error if the operator itself lacks the permissions for creating reviews, because every caller would be refused. Never rejects.
   */
  async checkRights(): Promise<void> {
    const { connection, signal } = this.#options;
    for (const { group, plural } of reviews) {
      try {
        const attributes = { group, resource: plural, verb: 'create' };
        const isAllowed = await ownAccess(connection, attributes, { signal, timeout: TIMEOUT_MS });
        if (!isAllowed) this.#report(new OpSdkError(missingRight(group, plural)));
      } catch {
        // A scrape will tell.
      }
    }
  }

  async #review(token: string, verb: string, path: string): Promise<Answer | undefined> {
    const user = await this.#userOf(token);
    if (user === undefined) return unauthorized;
    const { username = '', uid, groups, extra } = user;
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { path, verb } };
    const { allowed, denied, reason, evaluationError } = await this.#status<SubjectAccessReviewStatus>(
      'authorization.k8s.io',
      'SubjectAccessReview',
      'subjectaccessreviews',
      spec,
    );
    if (allowed && denied !== true) return undefined;
    this.#options.log.debug({ user: username, path, reason, evaluationError }, 'May not read the metrics');
    return { status: 403, body: `Authorization denied for user ${username}\n` };
  }

  async #userOf(token: string): Promise<UserInfo | undefined> {
    const { authenticated, user, error } = await this.#status<TokenReviewStatus>(
      'authentication.k8s.io',
      'TokenReview',
      'tokenreviews',
      { token },
    );
    if (authenticated === true) return user ?? {};
    this.#options.log.debug({ reason: error }, 'A reader of the metrics has no valid token');
    return undefined;
  }

  /** Creates a review and returns its status, which contains the result. The API server does not store reviews. */
  async #status<S>(group: string, kind: string, plural: string, spec: object): Promise<S> {
    try {
      const response = await this.#options.connection.request({
        target: { verb: 'create', resource: { group, plural } },
        method: 'POST',
        path: `/apis/${group}/v1/${plural}`,
        body: { apiVersion: `${group}/v1`, kind, spec },
        timeout: TIMEOUT_MS,
        signal: this.#options.signal,
      });
      return response.json<{ readonly status?: S }>().status ?? ({} as S);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      throw new OpSdkError(missingRight(group, plural), { cause: error });
    }
  }

  #keep(id: string, kept: Kept): void {
    // The oldest result is evicted first. A renewed result is moved to the end, so that it counts as new.
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT) return;
      this.#kept.delete(oldest);
    }
  }

  #report(error: unknown): void {
    const what = error instanceof OpSdkError ? error.summary : 'other';
    const now = this.#clock.now();
    if (now < (this.#logged.get(what) ?? -Infinity) + QUIET_MS) return;
    this.#logged.set(what, now);
    this.#options.log.error({ error }, 'Cannot check who may read the metrics');
  }
}

const unauthorized: Answer = {
  status: 401,
  body: 'Unauthorized\n',
  headers: { 'www-authenticate': 'Bearer' },
};

function missingRight(group: string, plural: string): Finding {
  return {
    code: 'runtime/metrics-reviews-forbidden',
    message: `secure metrics: expected the operator to be allowed to create ${plural}.${group}, got a refusal: nobody can read the metrics`,
    fix: [
      `give the operator's ServiceAccount the ClusterRole of metrics_auth_role.yaml (in a scaffolded project, switch [METRICS] on in config/default), or the rule { apiGroups: ['${group}'], resources: ['${plural}'], verbs: ['create'] }`,
      'or serve the metrics without a check of their readers: --metrics-secure=false',
    ],
  };
}
