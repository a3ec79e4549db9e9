import { OpSdkError, type Finding, type FindingCode } from '../../base/errors/index.ts';
import {
  type WireResponse,
  type WireError,
  type WireErrorKind,
  createRedactor,
  secrets,
} from '../../sdk/net/index.ts';
import { isJsonMap } from '../../base/util/json-map.ts';

/** Context of a request, used in the error message if the request fails. */
export interface Purpose {
  /** The operation for the error message, such as `push registry.example.com/team/operator:v1`. */
  readonly doing: string;
  /** The requested thing for the error message, such as `the manifest v1` or `a blob`. */
  readonly what: string;
  /** Name of the registry as written in the image reference, including the port. */
  readonly registry: string;
  /** Further fixes to suggest if the registry cannot be reached. */
  readonly instead?: readonly string[];
  /** True if the registry is a mirror. Some flags do not apply to mirrors. */
  readonly isMirror?: boolean;
}

/** An error that a retry may resolve. */
export class Transient extends Error {
  /** Error that is thrown if no retries are left. */
  readonly failure: OpSdkError;
  /** Time to wait before the retry in milliseconds, as requested by the server. */
  readonly retryAfter: number | undefined;

  constructor(failure: OpSdkError, retryAfter?: number) {
    super(failure.message);
    this.name = 'Transient';
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/**
 * Returns true for the HTTP statuses of temporary failures: overload, and gateways that cannot reach their server (including 499 and 52x of
 * large proxies).
 */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(status);
}

const quotaWords =
  /quota|exceed|storage limit|upper limit|insufficient storage|no space left|too large|payment/i;

/**
 * Creates the error for an unexpected answer of a registry. Reads the body of the answer.
 * @param credentials origin of the credentials that were sent; undefined if none were sent
 */
export async function failureOf(
  response: WireResponse,
  purpose: Purpose,
  redactor: MessageCleaner,
  credentials?: string,
): Promise<OpSdkError> {
  const body = await readStart(response);
  return failureOfStatus(response.status, body.toString('utf8'), purpose, redactor, credentials);
}

/** Creates the same error as {@link failureOf}, for an answer whose body has been read already. */
export function failureOfStatus(
  status: number,
  body: string,
  purpose: Purpose,
  redactor: MessageCleaner,
  credentials?: string,
): OpSdkError {
  const { codes, text } = parseErrorBody(body);
  const { code, fix } = meaningOf(status, codes, text, purpose, credentials);
  const words = redactor.clean(text);
  const said = words === '' ? `status ${status}` : `${words} (status ${status})`;
  return new OpSdkError({
    code,
    message: `cannot ${purpose.doing}: ${purpose.registry} answered the request for ${purpose.what}: ${said}${
      code === 'oci/wrong-credentials' ? `; the credentials are from ${credentials ?? 'nowhere'}` : ''
    }`,
    where: { object: purpose.registry },
    fix,
  });
}

function meaningOf(
  status: number,
  codes: readonly string[],
  text: string,
  { registry, isMirror = false }: Purpose,
  credentials: string | undefined,
): { readonly code: FindingCode; readonly fix: readonly string[] } {
  const has = (...wanted: readonly string[]): boolean => wanted.some((code) => codes.includes(code));
  if (status === 429 || has('TOOMANYREQUESTS'))
    return {
      code: 'oci/too-many-requests',
      fix: [
        credentials === undefined ? `log in: ${loginCommand(registry)}` : 'wait, then run the command again',
      ],
    };
  if (
    status === 413 ||
    status === 507 ||
    has('SIZE_INVALID') ||
    ([402, 403, 405, 412].includes(status) && quotaWords.test(text))
  )
    return {
      code: 'oci/quota-exceeded',
      fix: ['free some space in the registry, or ask for a larger quota or upload limit'],
    };
  if (/http request (?:was sent )?to (?:an )?https (?:server|port)/i.test(text))
    return {
      code: 'oci/speaks-plain-http',
      fix: [
        isMirror
          ? `write https://${registry} in --registry-mirror: the mirror speaks HTTPS`
          : 'leave --plain-http out: the registry speaks HTTPS',
      ],
    };
  if (status === 401) {
    return credentials === undefined
      ? { code: 'oci/authentication-required', fix: [`log in: ${loginCommand(registry)}`] }
      : { code: 'oci/wrong-credentials', fix: [`log in again: ${loginCommand(registry)}`] };
  }
  if (status === 403 || has('DENIED'))
    return {
      code: 'oci/denied',
      fix:
        credentials === undefined
          ? [`log in: ${loginCommand(registry)}`]
          : ['check that the repository exists and that your account may use it'],
    };
  if (has('MANIFEST_INVALID', 'MANIFEST_BLOB_UNKNOWN', 'MANIFEST_UNVERIFIED', 'TAG_INVALID'))
    return { code: 'oci/manifest-refused', fix: ['try the other format: --format docker, or --format oci'] };
  if (status === 400 && has('DIGEST_INVALID'))
    return {
      code: 'oci/digest-mismatch',
      fix: [
        'run the command again; if it happens again, check the proxies and firewalls between you and the registry',
      ],
    };
  if (status === 404 || status === 410)
    return {
      code: 'oci/not-found',
      fix: ['check registry, repository and tag; create the repository first if the registry requires it'],
    };
  return {
    code: 'oci/registry-error',
    fix: [isTransientStatus(status) ? 'try again later' : 'check that a registry listens there'],
  };
}

/** Returns the commands that store a user's credentials for a registry in the files that op-sdk reads. */
export function loginCommand(registry: string): string {
  return `docker login ${registry}, or podman login ${registry}`;
}

const codeOfKind: Record<WireErrorKind, FindingCode> = {
  'unknown-host': 'oci/registry-unreachable',
  refused: 'oci/registry-unreachable',
  cut: 'oci/registry-unreachable',
  silent: 'oci/registry-unreachable',
  certificate: 'oci/registry-tls',
  'not-tls': 'oci/speaks-plain-http',
  'unsafe-address': 'oci/unsafe-address',
  proxy: 'oci/proxy',
};

const fixesOfKind: Record<WireErrorKind, readonly string[]> = {
  'unknown-host': ['check the name of the registry', 'if you are behind a proxy, set HTTPS_PROXY'],
  refused: ['check host and port of the registry, and that it runs'],
  cut: ['try again; if it happens again, check the proxies and firewalls between you and the registry'],
  silent: ['check that the registry runs and that no firewall is in between'],
  certificate: [
    'name the authority that signed the certificate: --ca-file FILE',
    'if you accept the risk, --skip-tls-verify accepts any certificate',
  ],
  'not-tls': ['if you accept that others can read everything, --plain-http uses plain HTTP'],
  'unsafe-address': [
    'tell the administrator of the registry',
    'if it is a registry of your own, set its external URL',
  ],
  proxy: ['check HTTPS_PROXY, or add the host to NO_PROXY'],
};

/** Returns the fixes for a mirror; undefined if they are the same as for other registries. */
function fixesOfMirror(kind: WireErrorKind, registry: string): readonly string[] | undefined {
  if (kind === 'certificate') return fixesOfKind.certificate.slice(0, 1);
  if (kind !== 'not-tls') return undefined;
  return [`if you accept that others can read everything, write http://${registry} in --registry-mirror`];
}

/** Creates the error for a request that received no answer from the host. */
export function failureOfWire(
  error: WireError,
  url: URL,
  purpose: Purpose,
  redactor: MessageCleaner,
): OpSdkError {
  const code = codeOfKind[error.kind];
  const finding: Finding = {
    code,
    message: `cannot ${purpose.doing}: ${url.host}: ${redactor.clean(error.message)}`,
    where: { object: purpose.registry },
    fix: [
      ...((purpose.isMirror === true ? fixesOfMirror(error.kind, purpose.registry) : undefined) ??
        fixesOfKind[error.kind]),
      ...(code === 'oci/registry-unreachable' ? (purpose.instead ?? []) : []),
    ],
  };
  // The cause of the error is omitted, because --verbose would print it with unredacted secrets.
  return new OpSdkError(finding);
}

/** Parsed body of an error response. */
interface ErrorBody {
  /** The error codes of the distribution specification, in upper case, such as `DENIED`. */
  readonly codes: readonly string[];
  /** The message of the server; empty if the body contains none. */
  readonly text: string;
}

/** Maximum size in bytes of the part of an error body that is read; the rest is ignored. */
const longest = 64 * 1024;

/**
 * Maximum length in characters of the part of an error page that is searched for text. The search time grows with the square of the length.
 */
const longestPage = 8 * 1024;

/** Reads the beginning of a response body. If the connection breaks, returns the bytes received so far. */
export async function readStart(response: WireResponse, limit = longest): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of response.body) {
      parts.push(part);
      size += part.length;
      if (size >= limit) break;
    }
  } catch {
    // The status has already said what matters.
  }
  return Buffer.concat(parts).subarray(0, limit);
}

/**
 * Parses the body of an error response regardless of its Content-Type. The body may be the JSON of the distribution specification, other
 * JSON of proxies and token servers, an HTML page, plain text, or empty.
 */
export function parseErrorBody(body: string): ErrorBody {
  const json = parseJson(body);
  if (json === undefined) return { codes: [], text: plainText(body.slice(0, longestPage)) };
  const { errors, message, error, error_description: description, details } = json;
  const list = Array.isArray(errors) ? errors.filter(isJsonMap) : isJsonMap(error) ? [error] : [];
  const codes = list.flatMap(({ code }) => (typeof code === 'string' ? [code.toUpperCase()] : []));
  const texts = list.flatMap((each) => {
    const detail = typeof each['detail'] === 'string' ? each['detail'] : detailOf(each['detail']);
    return [[each['message'], detail].filter((part) => typeof part === 'string' && part !== '').join(': ')];
  });
  const others = [message, description, typeof error === 'string' ? error : undefined, details];
  const other = others.find((each): each is string => typeof each === 'string' && each !== '');
  const text = [...new Set(texts.filter((each) => each !== ''))].join('; ');
  return { codes, text: text === '' ? (other ?? codes.join(', ')) : text };
}

/**
 * Formats the details of an error, which may have any form. Returns undefined if they are empty or too long, or neither an object nor a
 * list.
 */
function detailOf(detail: unknown): string | undefined {
  if (!isJsonMap(detail) && !Array.isArray(detail)) return undefined;
  const text = JSON.stringify(detail);
  return text.length > 2 && text.length <= 200 ? text : undefined;
}

function plainText(body: string): string {
  if (!/<\/?[a-z!][^<>]*>/i.test(body)) return body.trim();
  const title = /<title[^>]*>([\s\S]*?)<\/title>/i.exec(body)?.[1];
  const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(body)?.[1];
  return (title ?? heading ?? body)
    .replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function parseJson(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonMap(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Removes secrets from all messages about a registry, because the error messages of a server may quote the data that the server received.
 */
export interface MessageCleaner {
  /** Registers a credential, so that no message of this process shows it from now on. */
  hide(secret: string): void;
  /** Registers a value of a signed URL. The value may be an ordinary word, so it is hidden only in messages about this registry. */
  hideHere(value: string): void;
  /**
   * Returns a text as one line without control characters, shortened to `longest` characters, with `***` in place of secrets.
   * @param longest maximum length in characters; default 300
   */
  clean(text: string, longest?: number): string;
}

/** Creates a message cleaner for the messages about one registry. */
export function createMessageCleaner(): MessageCleaner {
  const own = createRedactor(secrets);
  return {
    hide: (secret) => void secrets.hide(secret),
    hideHere: (value) => void own.hide(value),
    clean(text, longest = 300) {
      const clean = own
        .redact(text)
        .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, ' ')
        .trim();
      return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
    },
  };
}
