/** A fact that a schema contains but its JSON Schema lacks, so that the CRD would silently lack it, too. */
export interface Loss {
  /** Fields on the way to the part, with `[]` for the items of a list and `{}` for the values of a record. */
  readonly path: readonly string[];
  /** Description of the loss, which continues a message after the path: `a refinement, which …`. */
  readonly what: string;
  readonly fix: string;
}

/** A fact of a schema that JSON Schema could express but that the library's JSON Schema lacks. */
export interface Addition {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly value: unknown;
}

/** Facts that are missing in the JSON Schema of a schema. */
export interface Inspection {
  readonly losses: readonly Loss[];
  readonly additions: readonly Addition[];
}

/** A part of a library's schema, whose structure is not known for certain. */
export type Unknown = Readonly<Record<string, unknown>>;

/** Returns the value as an object or function with properties; undefined for any other value. */
export function plainFields(value: unknown): Unknown | undefined {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? (value as Unknown)
    : undefined;
}

const cel =
  "write the rule in CEL, which the API server checks: `.meta({ 'x-kubernetes-validations': [{ rule: 'self.…' }] })`, or check it in a webhook";
const stored = 'describe the value as it is stored, and change it in the code that reads it';

/** Losses that occur with most libraries, by name. */
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

/** Returns true if the flags of a regular expression change which texts match. */
function hasFlags(pattern: unknown): boolean {
  // The flags `u` and `v` change which patterns may be written; `d`, `g` and `y` change how a program continues after a match.
  return pattern instanceof RegExp && /[ims]/.test(pattern.flags);
}

type Path = readonly string[];

/** Finds parts that zod 4 silently omits from its JSON Schema, and parts that zod rejects without naming their place. */
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

/** Types that do not exist in JSON Schema, or that zod writes as a different type. */
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

/** Checks that zod writes into its JSON Schema. */
const keptChecks: ReadonlySet<unknown> = new Set([
  'greater_than',
  'less_than',
  'multiple_of',
  'number_format',
  'min_length',
  'max_length',
  'length_equals',
]);

/** Formats of texts that zod checks with code beyond a pattern. */
const codedFormats: ReadonlySet<unknown> = new Set(['base64url', 'cidrv6', 'json_string', 'jwt']);

function ofChecks(def: Unknown): readonly Lost[] {
  const checks = Array.isArray(def['checks']) ? (def['checks'] as readonly unknown[]) : [];
  const all = checks.map((check) => definitionOf(check)).filter((check) => check !== undefined);
  // A schema such as `z.email()` is itself one of its checks.
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

/** Returns the parts of a schema, each with the step that leads to it. The step is undefined for a part that describes the value itself. */
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
  // Only the input of a pipe matters: its output is lost together with the pipe.
  if (type === 'pipe') return [];
  return [[undefined, def['innerType']]];
}

/**
 * Ignores the prohibition of z.strictObject(), which rejects further fields. The API server drops further fields for every CRD, so nothing
 * is lost.
 */
function notNever(catchall: unknown): unknown {
  return definitionOf(catchall)?.['type'] === 'never' ? undefined : catchall;
}
