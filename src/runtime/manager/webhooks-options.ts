import type { CertificateFiles } from '../certificate/index.ts';
import type { SelfSignedOptions } from '../webhook/index.ts';

/** How the webhooks and conversions of a manager are served. */
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
}
