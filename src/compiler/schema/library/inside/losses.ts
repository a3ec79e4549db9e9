/** Something that a schema says and its JSON Schema does not: the CRD would silently be without it. */
export interface Loss {
  /** The fields on the way; `[]` for the items of a list, `{}` for the values of a record. */
  readonly path: readonly string[];
  /** Goes on behind the path: `a refinement, which …`. */
  readonly what: string;
  readonly fix: string;
}

/** Something that a schema says, that JSON Schema could say, and that the library's does not. */
export interface Addition {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly value: unknown;
}

/** Facts about a schema beside its JSON Schema. */
export interface Inspection {
  readonly losses: readonly Loss[];
  readonly additions: readonly Addition[];
}

/** A part of a library's schema, of which nothing is known for certain. */
export type Unknown = Readonly<Record<string, unknown>>;

/** The value as an object or function with properties; undefined for any other. */
export function plainFields(value: unknown): Unknown | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Unknown)
    : undefined;
}

export const cel =
  "write the rule in CEL, which the API server checks: `.meta({ 'x-kubernetes-validations': [{ rule: 'self.…' }] })`, or check it in a webhook";
export const stored = 'describe the value as it is stored, and change it in the code that reads it';

/** Parts that most libraries lose, under these names. */
export const lost = {
  refinement: { what: 'a refinement, which JSON Schema cannot hold', fix: cel },
  transform: { what: 'a transformation: the API server stores what was sent', fix: stored },
  fallback: {
    what: 'a fallback for invalid values, which the API server refuses',
    fix: 'use a default, which stands for an absent value',
  },
  flags: {
    what: 'a regular expression with flags, which a pattern cannot have',
    fix: 'write the regular expression without flags: `[Aa]` for `/a/i`',
  },
} as const;

/** True if flags of a regular expression change what it matches as a pattern. */
export function hasFlags(pattern: unknown): boolean {
  // `u` and `v` change what may be written; `d`, `g` and `y` how a program goes on after a match.
  return pattern instanceof RegExp && /[ims]/.test(pattern.flags);
}
