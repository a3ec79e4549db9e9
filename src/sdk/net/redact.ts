/** Keeps secrets out of everything that is said: servers, proxies and plugins quote what they were sent. */
export interface Redactor {
  /** From now on no text shows this, in the forms in which it is quoted: as it is, in a URL, in JSON. Returns how to forget it. */
  hide(secret: string): () => void;
  /**
   * The text with `***` for each secret, for private keys, JSON web tokens, and passwords in URLs, whoever they belong to.
   * @param shortest secrets with fewer characters are left alone: in data they may be names. Default: 4
   */
  redact(text: string, shortest?: number): string;
}

/** Shorter ones would make texts unreadable, and protect nothing. */
const shortestSecret = 4;

/** Secrets that nobody has loaded: a private key, and a JSON web token (RFC 7519, as ServiceAccounts and identity providers give). */
const likelySecrets =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g;

/** User name and password of a URL, up to the last `@` of its authority: `https://user:password@example.com`. */
const credentialsInUrl = /(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#"'`<>@:]*:[^\s/?#"'`<>]*(?=@)/gi;

/** The text with `***` for user names and passwords in URLs. */
function withoutUrlCredentials(text: string): string {
  return text.replace(credentialsInUrl, '***');
}

/** @param parent whose secrets are hidden too */
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
      // One secret may be part of another.
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

/** Every secret that this process has loaded: tokens, passwords, client keys, what plugins and helpers gave. */
export const secrets: Redactor = createRedactor();

/**
 * Hides a secret that is renewed again and again, in {@link secrets}: the newest and the one before it, which a server may still
 * quote; older ones are forgotten, so that a process that runs for months does not search its texts for thousands.
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
 * A value as JSON has it, with its texts redacted; keys stay as they are.
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
