import type { CertificateFiles } from '../certificate/index.ts';
import type { Connection } from '../../kube/index.ts';
import type { ListenAddress } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';

/** Options for serving `/metrics`. */
export interface MetricsOptions {
  /** host:port or :port; `0` to disable. */
  readonly address: string;
  /**
   * True (the default): over HTTPS, for callers whose bearer token the API server accepts (TokenReview) and who have the permission `{
   * nonResourceURLs: ['/metrics'], verbs: ['get'] }` (SubjectAccessReview). False: over plain HTTP, for everybody.
   */
  readonly secure?: boolean | undefined;
  /** Read again when it changes. Default: a self-signed one, created at each start. */
  readonly certificate?: CertificateFiles | undefined;
}

/** The validated {@link MetricsOptions}, with defaults. */
export interface MetricsSettings {
  readonly address: ListenAddress;
  readonly secure: boolean;
  readonly certificate: CertificateFiles | undefined;
  /** Offer HTTP/2 over HTTPS. */
  readonly http2: boolean;
}

export interface ServeMetricsOptions {
  readonly settings: MetricsSettings;
  /** For requests that check the permissions of callers. */
  readonly connection: Pick<Connection, 'request'>;
  readonly log: Logger;
  /** Called if a connection could not be accepted. */
  readonly report: (error: Error) => void;
}
