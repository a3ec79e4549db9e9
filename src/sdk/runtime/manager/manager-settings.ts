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

/** The options of a manager, checked and connected. */
export interface ManagerSettings {
  readonly name: string;
  readonly log: Logger;
  readonly cluster: ClusterAccess;
  /** Undefined: this process works at once. */
  readonly election?: Election | undefined;
  readonly namespaces: readonly string[] | undefined;
  readonly cache?: readonly CachedKind[] | undefined;
  readonly permissions?: readonly RbacRule[] | undefined;
  readonly onReconcile?: ReconcileObserver | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: MetricsSettings | undefined;
  readonly webhooks?: WebhooksOptions | undefined;
  /** Undefined: a key of the process signs the data of conversions. */
  readonly conversionKey?: ConversionKeySettings | undefined;
  /** Offer HTTP/2 on HTTPS servers. */
  readonly http2?: boolean;
  /** Milliseconds that webhooks go on after the stop was asked for. */
  readonly shutdownDelay: number;
  /** Milliseconds. */
  readonly gracefulShutdownTimeout: number;
  /** Milliseconds. */
  readonly cacheSyncTimeout: number;
}

/** Options for serving the webhooks and conversions of a manager. */
export interface WebhooksOptions {
  /** False: they are not served, as when a cluster without their configurations is used. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Default: 9443. */
  readonly port?: number | undefined;
  /** Default: all interfaces. */
  readonly host?: string | undefined;
  /** Read again when it changes. Default: `selfSigned`, or else the folder `k8s-webhook-server/serving-certs` of the system's folder for temporary files, as OLM mounts it. */
  readonly certificate?: CertificateFiles | undefined;
  /** The operator makes the certificate, keeps it in a Secret and renews it. Default: it does not. */
  readonly selfSigned?: SelfSignedOptions | undefined;
  /**
   * Time for which webhooks and conversions are served after the stop was asked for, while `/readyz` fails: until then Services may still send
   * requests. Counts from the signal, beside `gracefulShutdownTimeout`. Default: 5s.
   */
  readonly shutdownDelay?: DurationLike | undefined;
  /**
   * The key that signs what conversions keep in objects. Default: in a Pod a Secret of its namespace, named after the manager,
   * `NAME-conversion-key`; elsewhere, as under `op-sdk run`, a key that ends with the process.
   */
  readonly conversionKey?:
    | {
        /** The name of the Secret, which the operator makes. Default: `NAME-conversion-key`. */
        readonly secret?: string | undefined;
        /** Default: that of the Pod. */
        readonly namespace?: string | undefined;
        /** Time for which a key signs; former ones stay readable. Default: 90 days. */
        readonly rotateAfter?: DurationLike | undefined;
      }
    | undefined;
}

/** The parts of a cluster that a manager needs. */
export interface ClusterAccess {
  readonly client: Client;
  /** For requests that are about no object. */
  readonly connection: Pick<Connection, 'request'>;
  readonly reflect: RunReflector;
  close(): Promise<void>;
}
