/** One way to authenticate that a server offers. */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** By name in lower case; of repeated names the first counts. */
  readonly parameters: Readonly<Record<string, string>>;
}

const tokenForm = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const token68Form = /[A-Za-z0-9\-._~+/]+=*(?=\s*(?:,|$))/y;
const quotedForm = /"((?:[^"\\]|\\[\s\S])*)"/y;
const separatorForm = /[\s,]*/y;
const spaceForm = /[ \t]*/y;
const equalsForm = /[ \t]*=[ \t]*/y;

/**
 * Reads WWW-Authenticate: several challenges, each with parameters whose quoted values may hold commas.
 * What cannot be read ends the list; what comes before it counts.
 * @see https://www.rfc-editor.org/rfc/rfc9110.html#section-11.6.1
 */
export function parseChallenges(header: string): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let position = 0;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = position;
    const match = form.exec(header) ?? undefined;
    if (match !== undefined) position = form.lastIndex;
    return match;
  };
  for (;;) {
    take(separatorForm);
    const name = take(tokenForm)?.[0];
    if (name === undefined) return challenges;
    const current = challenges.at(-1);
    const afterName = position;
    // `name =` is a parameter of the challenge before; a name alone begins a new challenge.
    if (current !== undefined && take(equalsForm) !== undefined) {
      const quoted = take(quotedForm)?.[1];
      const value = quoted?.replace(/\\([\s\S])/g, '$1') ?? take(tokenForm)?.[0];
      if (value === undefined) return challenges;
      const key = name.toLowerCase();
      if (!Object.hasOwn(current.parameters, key))
        Object.defineProperty(current.parameters, key, { value, enumerable: true });
      continue;
    }
    position = afterName;
    challenges.push({ scheme: name.toLowerCase(), parameters: {} });
    if (take(spaceForm)?.[0] !== '') take(token68Form);
  }
}

/** A token of a token server. */
export interface Token {
  readonly value: string;
  /** Milliseconds since 1970: from then on a new one is asked for. */
  readonly renewAt: number;
}

/** The lifetime of a token whose answer does not tell, in seconds. Source: distribution, docs/spec/auth/token.md. */
const defaultLifetime = 60;

/**
 * Reads the answer of a token server. The lifetime counts from now: clocks differ.
 * @returns undefined if it holds no token that can be shown in a header
 */
export function parseToken(body: string, now: number): Token | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return undefined;
  }
  const {
    token,
    access_token: accessToken,
    expires_in: expiresIn,
  } = (answer ?? {}) as Partial<Record<string, unknown>>;
  const value = [token, accessToken].find((each): each is string => typeof each === 'string' && each !== '');
  if (value === undefined || !/^[\x21-\x7e]+$/.test(value)) return undefined;
  const lifetime = typeof expiresIn === 'number' && expiresIn > 0 ? expiresIn : defaultLifetime;
  // A tenth earlier, so that it does not expire on its way.
  return { value, renewAt: now + lifetime * 900 };
}

/** Adds scopes to others: actions of one resource are joined (`repository:a/b:pull` and `…:push` are `repository:a/b:pull,push`). */
export function joinScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  const actions = new Map<string, Set<string>>();
  for (const scope of lists.flat()) {
    const colon = scope.lastIndexOf(':');
    const resource = scope.slice(0, Math.max(colon, 0));
    const known = actions.get(resource) ?? new Set();
    for (const action of scope.slice(colon + 1).split(',')) if (action !== '') known.add(action);
    actions.set(resource, known);
  }
  return [...actions].map(([resource, set]) => `${resource}:${[...set].sort().join(',')}`).sort();
}
