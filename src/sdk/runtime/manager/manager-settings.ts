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
  /** Leader election; if undefined, this process works immediately. */
  readonly election?: Election | undefined;
  readonly namespaces: readonly string[] | undefined;
  readonly cache?: readonly CachedKind[] | undefined;
  readonly permissions?: readonly RbacRule[] | undefined;
  readonly onReconcile?: ReconcileObserver | undefined;
  /** Record Events about objects that keep failing. Default: true. */
  readonly failureEvents?: boolean | undefined;
  readonly health: ListenAddress | undefined;
  readonly metrics: MetricsSettings | undefined;
  readonly webhooks?: WebhooksOptions | undefined;
  /** Secret of the key that signs conversion data; if undefined, the key exists only in this process. */
  readonly conversionKey?: ConversionKeySettings | undefined;
  /** Offer HTTP/2 on HTTPS servers. */
  readonly http2?: boolean;
  /** Milliseconds for which webhooks are still served after the stop was requested. */
  readonly shutdownDelay: number;
  /** Milliseconds that running work has to end after the stop was requested. */
  readonly gracefulShutdownTimeout: number;
  /** Time limit for the first lists of all caches, in milliseconds. */
  readonly cacheSyncTimeout: number;
}

/** Options for serving webhooks and conversions of a manager. */
export interface WebhooksOptions {
  /** False: webhooks and conversions are not served, for example in a cluster without webhook configurations. Default: true. */
  readonly enabled?: boolean | undefined;
  /** Port of the webhook server. Default: 9443. */
  readonly port?: number | undefined;
  /** Host on which the webhook server listens. Default: all interfaces. */
  readonly host?: string | undefined;
  /**
   * Files of the certificate, which are read again when they change. Default: the `selfSigned` certificate; without it, the folder
   * `k8s-webhook-server/serving-certs` in the system's temporary folder, where OLM mounts the certificate.
   */
  readonly certificate?: CertificateFiles | undefined;
  /** Options of a certificate that the operator creates, stores in a Secret and renews. Default: disabled. */
  readonly selfSigned?: SelfSignedOptions | undefined;
  /**
   * Time for which webhooks and conversions are still served after the stop was requested. `/readyz` fails during this time, but Services
   * may still send requests. The time starts at the signal and runs in parallel with `gracefulShutdownTimeout`. Default: 5s.
   */
  readonly shutdownDelay?: DurationLike | undefined;
  /**
   * Secret with the key that signs the data that conversions keep in objects. Default in a Pod: a Secret in the namespace of the Pod, named
   * after the manager, `NAME-conversion-key`. Default outside of a Pod, such as with `op-sdk run`: a key that exists only in the process.
   */
  readonly conversionKey?:
    | {
        /** The name of the Secret, which the operator creates. Default: `NAME-conversion-key`. */
        readonly secret?: string | undefined;
        /** Namespace of the Secret. Default: the namespace of the Pod. */
        readonly namespace?: string | undefined;
        /**
         * Time for which a key is used to sign, before a new key replaces it. Signatures of former keys can still be verified. Default: 90
         * days.
         */
        readonly rotateAfter?: DurationLike | undefined;
      }
    | undefined;
}

/** The parts of a cluster that a manager uses. */
export interface ClusterAccess {
  readonly client: Client;
  /** Connection for requests that do not concern an object. */
  readonly connection: Pick<Connection, 'request'>;
  readonly reflect: RunReflector;
  close(): Promise<void>;
}
