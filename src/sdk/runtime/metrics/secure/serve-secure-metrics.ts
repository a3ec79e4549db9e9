import { createCertificateAuthority, type KeyPair } from '../../../x509/certificate-authority.ts';
import { watchCertificate, type CertificatePurpose } from '../../certificate/index.ts';
import type { Answer, Answerer, RunningServer } from '../../http/index.ts';
import { serveSecure } from '../../http/secure-server.ts';
import type { ServerPurpose } from '../../http/serve.ts';
import type { ServeMetricsOptions } from '../metrics-options.ts';
import { AccessReviews } from './access-reviews.ts';

const certificatePurpose: CertificatePurpose = {
  name: 'metrics',
  flag: '--metrics-cert',
  otherwise: 'or leave --metrics-cert-path out: a self-signed certificate is used then',
};

export interface SecureMetricsOptions extends ServeMetricsOptions {
  readonly purpose: ServerPurpose;
  /** The metrics, for those who may read them. */
  readonly answer: () => Promise<Answer>;
}

/** Serves `/metrics` over HTTPS to those who may read it. @throws OpSdkError `runtime/cannot-listen`, `runtime/certificate-unreadable` */
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
  // A start does not wait for it.
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

/** Whoever wants to know the server needs files; this one only encrypts. As controller-runtime's, for the host that it is sure of. */
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
