import { OpSdkError, type Finding, type FindingCode } from '../../base/errors/index.ts';
import {
  type WireResponse,
  type WireError,
  type WireErrorKind,
  createRedactor,
  secrets,
} from '../../sdk/net/index.ts';
import { isJsonMap } from '../../base/util/json-map.ts';

/** For whom and for what a request was, for the words of its failure. */
export interface Purpose {
  /** `push registry.example.com/team/operator:v1`: what has failed. */
  readonly doing: string;
  /** Requested thing: `the manifest v1`, `a blob`. */
  readonly what: string;
  /** As in the reference: with the port. */
  readonly registry: string;
  /** Alternatives if the registry cannot be reached. */
  readonly instead?: readonly string[];
  /** True for a mirror: some flags are not for mirrors. */
  readonly isMirror?: boolean;
}

/** An error that another try may mend. */
export class Transient extends Error {
  /** Error to throw when there are no more tries. */
  readonly failure: OpSdkError;
  /** Milliseconds that the server asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(failure: OpSdkError, retryAfter?: number) {
    super(failure.message);
    this.name = 'Transient';
    this.failure = failure;
    this.retryAfter = retryAfter;
  }
}

/** Statuses that pass: overload, and gateways whose server is gone for a moment (also those of large proxies, 499 and 52x). */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429, 499, 500, 502, 503, 504, 520, 521, 522, 523, 524].includes(status);
}

const quotaWords =
  /quota|exceed|storage limit|upper limit|insufficient storage|no space left|too large|payment/i;

/**
 * Explains an unexpected answer. Reads its body.
 * @param credentials whether any were shown, and where they are from
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

/** As {@link failureOf}, of a body that was read. */
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
    message: `cannot ${purpose.doing}: ${purpose.registry} answers to ${purpose.what}: ${said}${
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

/** The commands that write credentials for a registry into the files that op-sdk reads. */
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

/** The fixes that are others for mirrors. */
function fixesOfMirror(kind: WireErrorKind, registry: string): readonly string[] | undefined {
  if (kind === 'certificate') return fixesOfKind.certificate.slice(0, 1);
  if (kind !== 'not-tls') return undefined;
  return [`if you accept that others can read everything, write http://${registry} in --registry-mirror`];
}

/** Explains that no answer came from a host. */
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
  // The cause stays out: with --verbose it would be printed, and nobody has looked for secrets in it.
  return new OpSdkError(finding);
}

/** Body of a refusal. */
interface ErrorBody {
  /** The codes of the distribution specification, in upper case, such as `DENIED`. */
  readonly codes: readonly string[];
  /** The server's words; empty if it has none. */
  readonly text: string;
}

/** More is not read: nobody reads pages of an error. */
const longest = 64 * 1024;

/** So much of a page is searched for its words, in characters. The search takes time by the square of it. */
const longestPage = 8 * 1024;

/** Reads the beginning of a body, of whatever length it is. A body that is cut is as long as it is. */
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
 * Understands the body of an error, whatever its Content-Type claims: the specification's JSON, other JSON of proxies and token
 * servers, a page of HTML, plain text, or nothing.
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

/** Details are whatever a server likes; short ones help. */
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

/** Keeps secrets out of all that is said of one registry: messages of servers may quote what they were sent. */
export interface MessageCleaner {
  /** A credential: from now on, nothing in this process shows it. */
  hide(secret: string): void;
  /** A part of a signed URL, perhaps an ordinary word: messages about this registry do not show it. */
  hideHere(value: string): void;
  /** One line without control characters, not longer than `longest` characters, with `***` in place of secrets. */
  clean(text: string, longest?: number): string;
}

/** @param longest see {@link MessageCleaner.clean}; default 300 */
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
