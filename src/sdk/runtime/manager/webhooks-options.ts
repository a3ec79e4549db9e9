import type { CertificateFiles } from '../certificate/index.ts';
import type { DurationLike } from '../duration.ts';
import type { SelfSignedOptions } from '../webhook/index.ts';

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
