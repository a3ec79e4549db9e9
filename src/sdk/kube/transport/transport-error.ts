import { OpSdkError, type ErrorCode } from '../../../base/errors/index.ts';
import { secrets } from '../../net/index.ts';

export type TransportErrorCode = Extract<
  ErrorCode,
  | 'kube/unreachable'
  | 'kube/tls'
  | 'kube/timeout'
  | 'kube/connection-lost'
  | 'kube/connection-closed'
  | 'kube/bad-response'
>;

interface TransportErrorOptions {
  readonly cause?: unknown;
  /** True if the server cannot have begun to process the request: it may be sent again, whatever its method. */
  readonly neverSent?: boolean;
  readonly fix?: readonly string[];
}

/** A request that got no answer: the connection could not be made, broke, or was too slow. */
export class TransportError extends OpSdkError {
  /** True if the server cannot have begun to process the request: it may be sent again, whatever its method. */
  readonly neverSent: boolean;

  constructor(code: TransportErrorCode, message: string, options: TransportErrorOptions = {}) {
    const finding = {
      code,
      message: secrets.redact(message),
      ...(options.fix === undefined ? {} : { fix: options.fix }),
    };
    super(finding, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TransportError';
    this.neverSent = options.neverSent ?? false;
  }
}

/** For requests after `close`, and connections that were still being made then. */
export function closedError({ neverSent = true } = {}): TransportError {
  return new TransportError('kube/connection-closed', 'the client has been closed', { neverSent });
}

/** The `code` of a Node error such as ECONNREFUSED, `''` if it has none. */
export function nodeErrorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

export function nodeMessageOf(error: unknown): string {
  return error instanceof Error ? error.message || nodeErrorCode(error) || error.name : String(error);
}

const certificateErrors = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'HOSTNAME_MISMATCH',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Wraps an error of connecting; the request was certainly not sent. */
export function connectError(server: string, error: unknown): TransportError {
  const code = nodeErrorCode(error);
  if (
    certificateErrors.has(code) ||
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    code.startsWith('ERR_OSSL')
  ) {
    return new TransportError('kube/tls', `no secure connection to ${server}: ${nodeMessageOf(error)}`, {
      cause: error,
      neverSent: true,
      fix: [
        'check certificate-authority(-data), tls-server-name and the client certificate of the kubeconfig',
      ],
    });
  }
  return new TransportError('kube/unreachable', `cannot reach ${server}: ${connectMessage(error)}`, {
    cause: error,
    neverSent: true,
    fix: ['check that the API server runs and that the address in the kubeconfig is right'],
  });
}

// Node tries IPv4 and IPv6 and wraps the failures; the wrapper's own message is empty.
function connectMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map((inner) => nodeMessageOf(inner)).join(', ');
  return nodeMessageOf(error);
}
