import { FAILSAFE_SCHEMA, Type, type Schema } from 'js-yaml';
import { readPlainAsGo } from '../../base/util/go-scalars.ts';
import { isRewrittenTimestamp, readPlainAsKustomize } from './ambiguity.ts';

/** Reader whose rules for plain texts hold: those of Kubernetes' tools (sigs.k8s.io/yaml), or kustomize's, which has its own library. */
export type YamlReader = 'kubernetes' | 'kustomize';

/** An integer that a double cannot hold. Kubernetes' tools keep all 64 bits of it. */
export class InexactInteger {
  readonly value: number;
  readonly source: string;

  constructor(value: number, source: string) {
    this.value = value;
    this.source = source;
  }
}

/** A date that kustomize reads as a time, and writes in full. */
export class RewrittenDate {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** As a key. */
  toString(): string {
    return this.source;
  }
}

/** No text can hold this by chance: YAML has NUL in an escape only, and never followed by these words. */
const mergeMark = '\0merge key ';

/** Returns true for a plain key `<<`. Each has a name of its own, so that two of one mapping both count. */
export const isMergeKey = (key: string): boolean => key.startsWith(mergeMark);

/** Schema by which js-yaml gives scalars the values that a Go library gives them. */
export function goSchema(reader: YamlReader): Schema {
  const readScalar = scalarReader(reader);
  let merges = 0;
  // js-yaml asks first whether the type takes a text, then for its value.
  let value: unknown;
  const plain = new Type('tag:opsdk.dev,2026:plain', {
    kind: 'scalar',
    resolve: (text: string): boolean => {
      value = text === '<<' ? merge(text) : (dateOf(text) ?? readScalar(text));
      return value !== text;
    },
    construct: () => value,
  });
  const dateOf = (text: string): RewrittenDate | undefined =>
    reader === 'kustomize' && isRewrittenTimestamp(text) ? new RewrittenDate(text) : undefined;
  const as = (tag: string, fits: (value: unknown) => boolean): Type =>
    new Type(`tag:yaml.org,2002:${tag}`, {
      kind: 'scalar',
      resolve: (text: string | null): boolean => fits((value = readScalar(text ?? ''))),
      construct: () => value,
    });
  const merge = (text: string | null): string => (text === '<<' ? `${mergeMark}${merges++}` : (text ?? ''));
  const asText = (text: string | null): string => text ?? '';
  const isNumber = (read: unknown): boolean => typeof read === 'number' || read instanceof InexactInteger;
  return FAILSAFE_SCHEMA.extend({
    implicit: [plain],
    explicit: [
      as('null', (read) => read === null),
      as('bool', (read) => typeof read === 'boolean'),
      as('int', (read) => read instanceof InexactInteger || Number.isInteger(read)),
      as('float', isNumber),
      new Type('tag:yaml.org,2002:timestamp', { kind: 'scalar', construct: asText }),
      new Type('tag:yaml.org,2002:binary', {
        kind: 'scalar',
        construct: (text: string | null) => Buffer.from(text ?? '', 'base64').toString(),
      }),
      new Type('tag:yaml.org,2002:merge', { kind: 'scalar', construct: merge }),
      new Type('tag:yaml.org,2002:set', { kind: 'mapping' }),
      new Type('tag:yaml.org,2002:omap', { kind: 'sequence' }),
      // Tags of applications say nothing to Kubernetes: their scalars are text.
      new Type('!', { kind: 'scalar', multi: true, construct: asText }),
      new Type('!', { kind: 'sequence', multi: true }),
      new Type('!', { kind: 'mapping', multi: true }),
    ],
  });
}

function scalarReader(reader: YamlReader): (text: string) => unknown {
  const readPlain = reader === 'kustomize' ? readPlainAsKustomize : readPlainAsGo;
  return (text) => {
    const value = readPlain(text);
    const isInteger = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isInteger && is64Bit(text) ? new InexactInteger(value, text) : value;
  };
}

/** Returns true if Go reads digits as an integer of 64 bits; greater ones are doubles to it, as they are here. */
function is64Bit(text: string): boolean {
  const digits = text.replaceAll('_', '');
  if (/^[-+]?0[xob0-7]/i.test(digits)) return true;
  if (!/^[-+]?[0-9]+$/.test(digits)) return false;
  const number = BigInt(digits);
  return number >= -(2n ** 63n) && number < 2n ** 64n;
}
