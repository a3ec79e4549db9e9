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
