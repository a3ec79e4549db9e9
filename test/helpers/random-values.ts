import { Ajv, type ValidateFunction } from 'ajv';
import type { Random } from './random.ts';

/** The keywords of a chart's schema from which values are made. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema | false>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const texts = [
  ...['a', 'true', '1.5', 'web', 'app.kubernetes.io/name', 'example.com/a', '', 'A_b', 'x'.repeat(70), '-a'],
  ...[
    'a b',
    'ö',
    '{{ .Release.Name }}',
    '"',
    "'",
    '# x',
    'a: b',
    '100m',
    '1Gi',
    '2',
    'NET_ADMIN',
    '--zap',
    'a\nb',
  ],
  ...[`sha256:${'0'.repeat(64)}`, 'Exists', 'In', 'kubernetes.io/hostname', 'topology.kubernetes.io/zone'],
  ...[
    'cpu',
    'memory',
    'ephemeral-storage',
    'hugepages-2Mi',
    '0',
    '1m',
    '1k',
    '+.5',
    '-1',
    '1e3',
    '1E',
    '12.',
  ],
  ...[
    'metadata.name',
    'status.podIP',
    "metadata.labels['a']",
    "metadata.annotations['example.com/A']",
    'spec.x',
  ],
  ...[
    'limits.cpu',
    'requests.memory',
    'limits.hugepages-2Mi',
    'Localhost',
    'DoNotSchedule',
    'NoExecute',
    'v1',
  ],
  ...[
    '../a',
    '/a',
    'a/..b',
    'a/../b',
    '.',
    '..',
    '...',
    'net.core.somaxconn',
    'kernel/shm_rmid_forced',
    'Default',
  ],
  ...[
    'Always',
    'CAP_SYS_ADMIN',
    'Merge',
    'Unmasked',
    'Gt',
    'Equal',
    ' a',
    'requests.example.com/a',
    'A=b',
    'a/b/c',
  ],
];

/** Lists of label names that must not have one in common, which no schema can state: each gets a name of its own. */
const keyLists: readonly string[] = ['matchLabelKeys', 'mismatchLabelKeys'];

/** Makes values that a schema accepts. */
export class RandomValues {
  readonly #random: Random;
  readonly #validators = new Map<Schema, ValidateFunction>();
  readonly #ajv = new Ajv({ strict: false, validateFormats: false });

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Returns a value that a schema accepts.
   * @throws Error if a hundred values in a row break rules about several fields
   */
  of(schema: Schema, depth = 0): unknown {
    for (let attempt = 0; attempt < 100; attempt++) {
      const value = this.#some(schema, depth);
      if (value !== undefined && this.accepts(schema, value)) return value;
    }
    throw new Error(`no value found for ${JSON.stringify(schema).slice(0, 2000)}`);
  }

  accepts(schema: Schema, value: unknown): boolean {
    const known = this.#validators.get(schema);
    const validate = known ?? this.#ajv.compile(schema);
    if (known === undefined) this.#validators.set(schema, validate);
    return validate(value);
  }

  /** Returns a value with a change in one place: another scalar of the same type, or a field less. */
  mutated(value: unknown): unknown {
    if (Array.isArray(value)) {
      if (value.length === 0) return value;
      const at = this.#random.integer(0, value.length - 1);
      return value.map((item: unknown, index) => (index === at ? this.mutated(item) : item));
    }
    if (typeof value === 'object' && value !== null) {
      const names = Object.keys(value);
      if (names.length === 0) return value;
      const name = this.#random.pick(names);
      if (this.#random.chance(0.15))
        return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
      return { ...value, [name]: this.mutated((value as Readonly<Record<string, unknown>>)[name]) };
    }
    if (typeof value === 'boolean') return !value;
    if (typeof value === 'number') return this.#random.pick([-1, 0, 1, 2, 100, 101, 2 ** 31]);
    return this.#random.pick(texts);
  }

  #some(schema: Schema, depth: number): unknown {
    const { anyOf, enum: allowed, type } = schema;
    if (anyOf !== undefined) return this.of(this.#random.pick(anyOf), depth);
    if (allowed !== undefined) return this.#random.pick(allowed);
    const one = typeof type === 'string' ? type : this.#random.pick(type ?? ['string']);
    if (one === 'boolean') return this.#random.chance(0.5);
    if (one === 'integer' || one === 'number') return this.#random.pick([1, 0, 2, 7, 100, 65_536]);
    if (one === 'string') return this.#text(schema);
    return one === 'array' ? this.#list(schema, depth) : this.#object(schema, depth);
  }

  #text(schema: Schema): unknown {
    const fitting = texts.filter((text) => this.accepts(schema, text));
    if (fitting.length === 0) throw new Error(`no text for ${JSON.stringify(schema)}`);
    return this.#random.pick(fitting);
  }

  #list({ items = {}, minItems = 0, maxItems = 2 }: Schema, depth: number): unknown {
    const count = Math.max(minItems, this.#random.integer(0, maxItems));
    return Array.from({ length: count }, () => this.of(items, depth + 1));
  }

  #object(schema: Schema, depth: number): unknown {
    const { properties = {}, patternProperties = {}, required = [], maxProperties } = schema;
    const density = depth === 0 ? 0.3 : depth < 4 ? 0.4 : 0.25;
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(properties)) {
      const isWanted = required.includes(name) || this.#random.chance(density);
      if (each === false || name === 'global' || !isWanted) continue;
      entries.push([name, keyLists.includes(name) ? [name] : this.of(each, depth + 1)]);
    }
    for (const [pattern, each] of Object.entries(patternProperties)) {
      const names = texts.filter((text) => new RegExp(pattern).test(text) && properties[text] === undefined);
      for (let count = this.#random.integer(0, 2); count > 0; count--)
        entries.push([this.#random.pick(names), this.of(each, depth + 1)]);
    }
    const shuffled =
      maxProperties === undefined ? entries : this.#random.shuffle(entries).slice(0, maxProperties);
    return Object.fromEntries(shuffled);
  }
}
