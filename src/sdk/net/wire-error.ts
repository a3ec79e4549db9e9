/** Reason for a missing HTTP response. */
export type WireErrorKind =
  | 'unknown-host'
  | 'refused'
  /** Cut in the middle, or not to be reached just now: worth another try. */
  | 'cut'
  | 'silent'
  | 'certificate'
  /** The server does not speak TLS. */
  | 'not-tls'
  | 'unsafe-address'
  | 'proxy';

/** Error for a missing or incomplete response. The message has no full stop and no secrets. */
export class WireError extends Error {
  readonly kind: WireErrorKind;

  constructor(kind: WireErrorKind, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'WireError';
    this.kind = kind;
  }
}

/** Codes of OpenSSL for certificates that Node does not accept. Source: Node's documentation of tls, "X509 certificate error codes". */
const certificateCodes =
  /^(?:UNABLE_TO_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|INVALID_|ERROR_IN_CERT|HOSTNAME_MISMATCH)/;

/** Classifies an error of Node's sockets. */
export function toWireError(error: unknown): WireError {
  if (error instanceof WireError) return error;
  const { code = '', message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  const make = (kind: WireErrorKind, text: string): WireError => new WireError(kind, text, { cause: error });
  if (code === 'ENOTFOUND' || code === 'EAI_NONAME') return make('unknown-host', 'no such host');
  if (code === 'EAI_AGAIN') return make('unknown-host', 'the name cannot be looked up (EAI_AGAIN)');
  if (code === 'ECONNREFUSED') return make('refused', 'nobody listens there (connection refused)');
  if (certificateCodes.test(code)) return make('certificate', `${lowerFirst(message)} (${code})`);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const isPlain =
      /wrong version number|packet length too long|http request|unknown protocol|record layer failure/i;
    return isPlain.test(message.replaceAll('_', ' '))
      ? make('not-tls', 'the server does not speak TLS')
      : make('certificate', `no secure connection (${code})`);
  }
  if (/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code))
    return make('refused', `no way to the host (${code})`);
  if (code === 'ETIMEDOUT') return make('silent', 'no answer in time (ETIMEDOUT)');
  return make('cut', `the connection was cut${code === '' ? '' : ` (${code})`}`);
}

function lowerFirst(text: string): string {
  // Node's errors about a host name that does not match list all alternative names, so only the first sentence is kept.
  const [first = ''] = text.split(/\.\s/);
  return /^[A-Z][a-z]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first;
}
