import type { CertificateFiles } from '../certificate/index.ts';
import type { Connection } from '../../kube/index.ts';
import type { ListenAddress } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';

/** Options for serving `/metrics`. */
export interface MetricsOptions {
  /** host:port or :port; `0` for nowhere. */
  readonly address: string;
  /**
   * True (the default): over HTTPS, to those whose bearer token the API server knows (TokenReview) and who have the right
   * `{ nonResourceURLs: ['/metrics'], verbs: ['get'] }` (SubjectAccessReview). False: over plain HTTP, to everybody.
   */
  readonly secure?: boolean | undefined;
  /** Read again when it changes. Default: a self-signed one, made at each start. */
  readonly certificate?: CertificateFiles | undefined;
}

/** {@link MetricsOptions}, checked, with defaults. */
export interface MetricsSettings {
  readonly address: ListenAddress;
  readonly secure: boolean;
  readonly certificate: CertificateFiles | undefined;
  /** Offer HTTP/2 over HTTPS. */
  readonly http2: boolean;
}

export interface ServeMetricsOptions {
  readonly settings: MetricsSettings;
  /** Asks the API server who may read. */
  readonly connection: Pick<Connection, 'request'>;
  readonly log: Logger;
  /** A connection could not be accepted. */
  readonly report: (error: Error) => void;
}
