import { access } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpSdkError } from '../../../../base/errors/index.ts';
import type { KeyPair } from '../../../x509/certificate-authority.ts';
import {
  watchCertificate,
  type CertificateFiles,
  type CertificatePurpose,
  type WatchedCertificate,
} from '../../certificate/index.ts';
import type { Logger } from '../../create-logger.ts';

import type { StartSelfSignedOptions } from '../self-signed/start-self-signed.ts';

const purpose: CertificatePurpose = {
  name: 'webhooks',
  flag: '--webhook-cert',
  otherwise: 'or start the operator with ENABLE_WEBHOOKS=false: its webhooks are not served then',
};

/** Options for creating a self-signed certificate. */
export type SelfSignedSource = Pick<StartSelfSignedOptions, 'options' | 'client' | 'reflect' | 'stop'>;

export interface CertificateSourceOptions {
  /** Files from the options of the manager. */
  readonly files: CertificateFiles | undefined;
  /** The operator makes the certificate. Default: it does not. */
  readonly selfSigned?: SelfSignedSource | undefined;
  /** Names of the CustomResourceDefinitions whose conversions are served. Default: none. */
  readonly definitions?: readonly string[];
  readonly log: Logger;
  readonly onChange: (pair: KeyPair) => void;
  /** Where OLM mounts the certificate, and controller-runtime looks for it. Default: `k8s-webhook-server/serving-certs` in the folder for temporary files. */
  readonly mounted?: string;
}

/**
 * The certificate of the webhooks: from the files that were named, or else of the operator's own making if it is to do so, or else from the folder where they are usually mounted.
 *
 * @throws OpSdkError `runtime/certificate-unreadable`, `runtime/webhook-certificate-missing`
 */
export async function webhookCertificate(options: CertificateSourceOptions): Promise<WatchedCertificate> {
  const { files, log, onChange, mounted = join(tmpdir(), 'k8s-webhook-server', 'serving-certs') } = options;
  if (files !== undefined) return watchCertificate(files, { purpose, log, onChange });
  if (options.selfSigned !== undefined) {
    const { startSelfSigned } = await import('../self-signed/index.ts');
    return startSelfSigned({ ...options.selfSigned, definitions: options.definitions ?? [], log, onChange });
  }
  const isMounted = await access(join(mounted, 'tls.crt')).then(
    () => true,
    () => false,
  );
  if (isMounted) return watchCertificate({ folder: mounted }, { purpose, log, onChange });
  throw new OpSdkError({
    code: 'runtime/webhook-certificate-missing',
    message: `webhooks: expected a certificate from --webhook-cert-path or in ${mounted}, got none`,
    fix: [
      'name the folder with tls.crt and tls.key: --webhook-cert-path=<folder>',
      'on your own machine start the operator with `op-sdk run`, which makes a certificate',
      'or set ENABLE_WEBHOOKS=false: the webhooks are not served then',
    ],
  });
}
