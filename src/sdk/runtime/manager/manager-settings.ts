import type { RbacRule } from '../../api/index.ts';
import type { CachedKind, RunReflector } from '../cache/index.ts';
import type { ReconcileObserver } from '../controller/index.ts';
import type { Logger } from '../create-logger.ts';
import type { Election } from '../election/index.ts';
import type { ListenAddress } from '../../net/index.ts';
import type { MetricsSettings } from '../metrics/index.ts';
import type { ConversionKeySettings } from '../webhook/conversion-key/conversion-keys.ts';
import type { CertificateFiles } from '../certificate/index.ts';
import type { DurationLike } from '../duration.ts';
import type { SelfSignedOptions } from '../webhook/index.ts';
import type { Connection, Client } from '../../kube/index.ts';

/** The validated options of a manager, with its connections. */
export interface ManagerSettings {
  readonly name: string;
  readonly log: Logger;
  readonly cluster: ClusterAccess;
  /** Undefined: this process works immediately. */
  readonly election?: Election | undefined;
  readonly namespaces: readonly string[] | undefined;
  readonly cache?: readonly CachedKind[] | undefined;
  readonly permissions?: readonly RbacRule[] | undefined;
  readonly onReconcile?: ReconcileObserver | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: MetricsSettings | undefined;
  readonly webhooks?: WebhooksOptions | undefined;
  /** Undefined: a key of the process signs conversion data. */
  readonly conversionKey?: ConversionKeySettings | undefined;
  /** Offer HTTP/2 on HTTPS servers. */
  readonly http2?: boolean;
  /** Milliseconds for which webhooks are served after the stop was requested. */
  readonly shutdownDelay: number;
  /** Milliseconds. */
  readonly gracefulShutdownTimeout: number;
  /** Milliseconds. */
  readonly cacheSyncTimeout: number;
}

/** Options for serving webhooks and conversions of a manager. */
export interface WebhooksOptions {
  /** False: they are not served, such as for a cluster without their configurations. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Default: 9443. */
  readonly port?: number | undefined;
  /** Default: all interfaces. */
  readonly host?: string | undefined;
  /**
   * Read again when it changes. Default: `selfSigned`, or else the folder `k8s-webhook-server/serving-certs` in the system's temporary
   * folder, where OLM mounts it.
   */
  readonly certificate?: CertificateFiles | undefined;
  /** The operator creates the certificate, stores it in a Secret and renews it. Default: disabled. */
  readonly selfSigned?: SelfSignedOptions | undefined;
  /**
   * Time for which webhooks and conversions are served after the stop was requested, while `/readyz` fails: Services may still send
   * requests in this time. Starts at the signal and runs in parallel with `gracefulShutdownTimeout`. Default: 5s.
   */
  readonly shutdownDelay?: DurationLike | undefined;
  /**
   * The key that signs the data that conversions keep in objects. Default: in a Pod a Secret of its namespace, named after the manager,
   * `NAME-conversion-key`; otherwise, such as with `op-sdk run`, a key that exists only in the process.
   */
  readonly conversionKey?:
    | {
        /** The name of the Secret, which the operator creates. Default: `NAME-conversion-key`. */
        readonly secret?: string | undefined;
        /** Default: the namespace of the Pod. */
        readonly namespace?: string | undefined;
        /** Time for which a key signs; former keys can still be read. Default: 90 days. */
        readonly rotateAfter?: DurationLike | undefined;
      }
    | undefined;
}

/** The parts of a cluster that a manager uses. */
export interface ClusterAccess {
  readonly client: Client;
  /** For requests that do not concern an object. */
  readonly connection: Pick<Connection, 'request'>;
  readonly reflect: RunReflector;
  close(): Promise<void>;
}
