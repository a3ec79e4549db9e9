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
