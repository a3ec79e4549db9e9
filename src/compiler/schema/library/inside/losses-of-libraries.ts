/** A fact that a library's schema contains but its JSON Schema lacks. The CRD would silently lack this fact, too. */
export interface Loss {
  /** Names of the fields on the path to the part, with `[]` for the items of a list and `{}` for the values of a record. */
  readonly path: readonly string[];
  /** Description of the loss, phrased to follow the path in a message: `a refinement, which …`. */
  readonly what: string;
  readonly fix: string;
}

/** A fact that a library's JSON Schema lacks, although JSON Schema can express it. The fact is added to the JSON Schema. */
export interface Addition {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly value: unknown;
}

/** Facts that a library's schema contains but its JSON Schema lacks. */
export interface Inspection {
  readonly losses: readonly Loss[];
  readonly additions: readonly Addition[];
}

/** A part of a library's schema, as an object with properties of unknown types. */
export type Unknown = Readonly<Record<string, unknown>>;

/** Returns a value whose properties can be read, which is an object or a function; undefined for any other value. */
export function plainFields(value: unknown): Unknown | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Unknown)
    : undefined;
}

const cel =
  "write the rule in CEL, which the API server checks: `.meta({ 'x-kubernetes-validations': [{ rule: 'self.…' }] })`, or check it in a webhook";
const stored = 'describe the value as it is stored, and change it in the code that reads it';

/** Losses that may occur with several libraries, by name. */
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

/** Returns true if a regular expression has flags that change which texts it matches. */
function hasFlags(pattern: unknown): boolean {
  // The other flags do not change the matching texts: `u` and `v` change the syntax of patterns; `d`, `g` and `y` change how a program
  // reads or continues a match.
  return pattern instanceof RegExp && /[ims]/.test(pattern.flags);
}

type Path = readonly string[];

/** Finds parts that zod 4 silently omits from its JSON Schema, and parts that zod rejects without naming their place in the schema. */
export function zodLosses(schema: Unknown): readonly Loss[] {
  const losses: Loss[] = [];
  const visiting = new Set<Unknown>();
  const visit = (value: unknown, path: Path): void => {
    const def = definitionOf(value);
    if (def === undefined || visiting.has(def)) return;
    visiting.add(def);
    for (const loss of [...ofType(def), ...ofChecks(def)]) losses.push({ path, ...loss });
    for (const [step, part] of partsOf(def)) visit(part, step === undefined ? path : [...path, step]);
    visiting.delete(def);
  };
  visit(schema, []);
  return losses;
}

function definitionOf(schema: unknown): Unknown | undefined {
  return plainFields(plainFields(plainFields(schema)?.['_zod'])?.['def']);
}

type Lost = Omit<Loss, 'path'>;

const date = {
  what: 'a Date, which JSON cannot hold',
  fix: 'use z.iso.datetime(): times are texts in JSON',
};
const bigint = { what: 'a bigint, which JSON cannot hold', fix: 'use z.int() or z.int32()' };
const notJson = { what: 'a value that JSON cannot hold', fix: 'describe the value as it is in JSON' };
const custom = {
  what: 'a check of your own, which JSON Schema cannot hold',
  fix: `describe the shape with zod's types; ${cel}`,
};

/** zod's types that do not exist in JSON Schema, or that zod converts to a different type. */
const lostTypes: Readonly<Record<string, Lost>> = {
  bigint,
  catch: lost.fallback,
  custom,
  date,
  file: notJson,
  function: notJson,
  map: { what: 'a Map, which JSON cannot hold', fix: 'use z.record()' },
  nan: notJson,
  never: { what: 'z.never(): no value fits', fix: 'leave the field out' },
  pipe: lost.transform,
  promise: notJson,
  set: {
    what: 'a Set, which JSON cannot hold',
    fix: "use z.array(…).meta({ 'x-kubernetes-list-type': 'set' })",
  },
  success: lost.transform,
  symbol: notJson,
  transform: lost.transform,
  undefined: { what: 'undefined, which JSON cannot hold', fix: 'use .optional()' },
  void: { what: 'undefined, which JSON cannot hold', fix: 'use .optional()' },
};

function ofType(def: Unknown): readonly Lost[] {
  const type = String(def['type']);
  const own = Object.hasOwn(lostTypes, type) ? lostTypes[type] : undefined;
  const coerced =
    def['coerce'] === true
      ? { what: 'a coercion: the API server stores what was sent', fix: stored }
      : undefined;
  const isLoose = type === 'record' && def['mode'] === 'loose';
  const loose = isLoose
    ? { what: 'a record with other keys than its key type says', fix: 'use z.record(z.string(), …)' }
    : undefined;
  return [own, coerced, loose].filter((each) => each !== undefined);
}

/** Names of the checks that zod writes into its JSON Schema. */
const keptChecks: ReadonlySet<unknown> = new Set([
  'greater_than',
  'less_than',
  'multiple_of',
  'number_format',
  'min_length',
  'max_length',
  'length_equals',
]);

/** Formats of strings that zod checks with more than a pattern, namely with code. */
const codedFormats: ReadonlySet<unknown> = new Set(['base64url', 'cidrv6', 'json_string', 'jwt']);

function ofChecks(def: Unknown): readonly Lost[] {
  const checks = Array.isArray(def['checks']) ? (def['checks'] as readonly unknown[]) : [];
  const all = checks.map((check) => definitionOf(check)).filter((check) => check !== undefined);
  // A schema such as `z.email()` is itself a check, so it is added to the list of its checks.
  const own = def['check'] === undefined || def['type'] === 'custom' ? [] : [def];
  const multiples = all.filter((check) => check['check'] === 'multiple_of');
  return [
    ...[...own, ...all].flatMap(ofCheck),
    ...(multiples.length > 1
      ? [
          {
            what: 'several .multipleOf(), of which JSON Schema holds one',
            fix: 'write their least common multiple',
          },
        ]
      : []),
  ];
}

function ofCheck(check: Unknown): readonly Lost[] {
  const name = check['check'];
  if (keptChecks.has(name)) return [];
  if (name === 'overwrite') return [lost.transform];
  if (name !== 'string_format') return [lost.refinement];
  const { format } = check;
  if (hasFlags(check['pattern'])) return [lost.flags];
  if (codedFormats.has(format))
    return [
      { what: `the format ${String(format)}, which zod checks with code`, fix: 'use z.string().regex(…)' },
    ];
  if (format === 'url' && (check['hostname'] ?? check['protocol'] ?? check['normalize']) !== undefined)
    return [{ what: 'options of z.url(), which JSON Schema cannot hold', fix: 'add .regex(…) to z.url()' }];
  return [];
}

/**
 * Returns the parts of a schema, each with the step of the path that leads to it. The step is undefined for a part that describes the same
 * value as the schema itself, such as the type inside of an optional type.
 */
function partsOf(def: Unknown): readonly (readonly [string | undefined, unknown])[] {
  const list = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? (value as readonly unknown[]) : [];
  const type = def['type'];
  const getter = def['getter'];
  if (type === 'object')
    return [...Object.entries(plainFields(def['shape']) ?? {}), ['{}', notNever(def['catchall'])]];
  if (type === 'array') return [['[]', def['element']]];
  if (type === 'record')
    return [
      ['{}', def['valueType']],
      [undefined, def['keyType']],
    ];
  if (type === 'tuple') return [...list(def['items']), def['rest']].map((part) => ['[]', part]);
  if (type === 'union') return list(def['options']).map((part) => [undefined, part]);
  if (type === 'intersection')
    return [
      [undefined, def['left']],
      [undefined, def['right']],
    ];
  if (type === 'lazy' && typeof getter === 'function') return [[undefined, (getter as () => unknown)()]];
  // Returns no parts for a pipe: the conversion of the pipe counts as lost anyway, so the parts inside are not checked.
  if (type === 'pipe') return [];
  return [[undefined, def['innerType']]];
}

/**
 * Returns undefined for the schema of further fields in z.strictObject(), which rejects such fields. The API server drops further fields in
 * every CRD, so nothing is lost.
 */
function notNever(catchall: unknown): unknown {
  return definitionOf(catchall)?.['type'] === 'never' ? undefined : catchall;
}
