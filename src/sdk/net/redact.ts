/** Removes secrets from all output. Needed because servers, proxies and plugins quote secrets in their messages. */
export interface Redactor {
  /**
   * Registers a secret for redaction in each form in which output may quote it: verbatim, in a URL, in JSON. Returns a function that
   * unregisters the secret.
   */
  hide(secret: string): () => void;
  /**
   * Returns the text with `***` in place of each registered secret, and of any private key, JSON web token, and password in a URL.
   * @param shortest minimum length in characters of the secrets to replace, because a shorter text in data may be a name. Default: 4
   */
  redact(text: string, shortest?: number): string;
}

/**
 * Minimum length of a secret to redact, in characters. Redacting shorter secrets would make texts unreadable without protecting anything.
 */
const shortestSecret = 4;

/**
 * Patterns of secrets that are not registered: a private key, and a JSON web token (RFC 7519, as issued by ServiceAccounts and identity
 * providers).
 */
const likelySecrets =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g;

/** User name and password of a URL, up to the last `@` of its authority: `https://user:password@example.com`. */
const credentialsInUrl = /(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#"'`<>@:]*:[^\s/?#"'`<>]*(?=@)/gi;

/** Replaces user names and passwords in URLs by `***`. */
function withoutUrlCredentials(text: string): string {
  return text.replace(credentialsInUrl, '***');
}

/** @param parent redactor whose secrets are redacted, too */
export function createRedactor(parent?: Redactor): Redactor {
  const forms = new Map<string, readonly string[]>();
  let longestFirst: readonly string[] | undefined;
  return {
    hide(secret) {
      const text = secret.trim();
      if (text.length < shortestSecret) return () => undefined;
      if (!forms.has(text)) {
        forms.set(text, [
          text,
          encodeURIComponent(Buffer.from(text).toString()),
          JSON.stringify(text).slice(1, -1),
        ]);
        longestFirst = undefined;
      }
      return () => {
        forms.delete(text);
        longestFirst = undefined;
      };
    },
    redact(text, shortest = shortestSecret) {
      // The longest form is replaced first, as one secret may be part of another.
      longestFirst ??= [...new Set([...forms.values()].flat())].sort((a, b) => b.length - a.length);
      let clean = text;
      for (const secret of longestFirst)
        if (secret.length >= shortest && clean.includes(secret)) clean = clean.replaceAll(secret, '***');
      return parent === undefined
        ? withoutUrlCredentials(clean).replace(likelySecrets, '***')
        : parent.redact(clean, shortest);
    },
  };
}

const place = Symbol.for('opsdk.secrets');

/**
 * All secrets that this process has loaded: tokens, passwords, client keys, and the secrets that plugins and helpers returned. Global,
 * because a bundled operator and a file that Node loads before it have a copy of this module each.
 */
export const secrets: Redactor = ((globalThis as { [place]?: Redactor })[place] ??= createRedactor());

/**
 * Returns a function that registers each new value of a periodically renewed secret in {@link secrets}. Keeps the newest value and the
 * previous one, which a server may still quote. Unregisters older values, so that a process that runs for months does not search texts for
 * thousands of secrets.
 */
export function renewedSecret(): (secret: string) => void {
  const known: { readonly secret: string; readonly forget: () => void }[] = [];
  return (secret) => {
    if (known.some((each) => each.secret === secret)) return;
    known.push({ secret, forget: secrets.hide(secret) });
    if (known.length > 2) known.shift()?.forget();
  };
}

/**
 * Returns a JSON value with the secrets in its strings redacted; keys are not changed.
 * @param shortest see {@link Redactor.redact}
 */
export function redactValue<T>(value: T, shortest?: number): T {
  if (typeof value === 'string') return secrets.redact(value, shortest) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => redactValue(each, shortest)) as T;
  if (typeof value !== 'object' || value === null) return value;
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return redactValue((value.toJSON as () => T)(), shortest);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, redactValue(each as unknown, shortest)]),
  ) as T;
}
