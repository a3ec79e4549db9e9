import type { CertificateFiles } from '../certificate/index.ts';
import type { Connection } from '../../kube/index.ts';
import type { ListenAddress } from '../../net/index.ts';
import type { Logger } from '../create-logger.ts';

/** Options for serving `/metrics`. */
export interface MetricsOptions {
  /** Address of the server: host:port or :port; `0` to disable. */
  readonly address: string;
  /**
   * True (the default): serve over HTTPS, only to callers whose bearer token the API server accepts (TokenReview) and who have the
   * permission `{ nonResourceURLs: ['/metrics'], verbs: ['get'] }` (SubjectAccessReview). False: serve over plain HTTP, to everybody.
   */
  readonly secure?: boolean | undefined;
  /**
   * True (the default): include prom-client's metrics of Node and of the process: `nodejs_*`, such as the delay of the event loop, heap and
   * garbage collection, and `process_*`. False: leave them out, which saves some 60 series.
   */
  readonly node?: boolean | undefined;
  /** Files of the certificate, which are read again when they change. Default: a self-signed certificate, created at each start. */
  readonly certificate?: CertificateFiles | undefined;
}

/** The validated {@link MetricsOptions}, with defaults. */
export interface MetricsSettings {
  readonly address: ListenAddress;
  readonly secure: boolean;
  readonly node: boolean;
  readonly certificate: CertificateFiles | undefined;
  /** Offer HTTP/2 in addition to HTTP/1.1 over HTTPS. */
  readonly http2: boolean;
}

export interface ServeMetricsOptions {
  readonly settings: MetricsSettings;
  /** Connection for requests that check the permissions of callers. */
  readonly connection: Pick<Connection, 'request'>;
  readonly log: Logger;
  /** Called if a connection could not be accepted. */
  readonly report: (error: Error) => void;
}
