import { FAILSAFE_SCHEMA, loadAll, Type } from 'js-yaml';
import { mostYamlLevels } from './nesting.ts';

/** A document as it is written, for those who tell `1.0` from `1`, and a field without text from a written null. */
export interface DocumentTexts {
  /** Texts, lists and mappings; null where nothing is written. `<<` is a key like others. */
  readonly value: unknown;
  /** True if a list or a mapping of `value` is written in brackets or braces. */
  readonly isFlow: (collection: object) => boolean;
}

const text = (read: string | null): string => read ?? '';

/** Tags say nothing here. */
const schema = FAILSAFE_SCHEMA.extend({
  explicit: [
    new Type('tag:yaml.org,2002:null', {
      kind: 'scalar',
      construct: (read: string | null) => (read === '' ? null : read),
    }),
    ...['!', 'tag:'].flatMap((prefix) => [
      new Type(prefix, { kind: 'scalar', multi: true, construct: text }),
      new Type(prefix, { kind: 'sequence', multi: true }),
      new Type(prefix, { kind: 'mapping', multi: true }),
    ]),
  ],
});

/** Reads the text of one document, which has been read before without a problem. */
export function loadTexts(document: string): DocumentTexts {
  const flow = new WeakSet<object>();
  const options = {
    schema,
    json: true,
    maxDepth: mostYamlLevels,
    listener(
      event: 'open' | 'close',
      { result, input, position }: { result: unknown; input: string; position: number },
    ) {
      // A block collection ends behind a line break.
      if (
        event === 'close' &&
        typeof result === 'object' &&
        result !== null &&
        /[\]}]/.test(input[position - 1] ?? '')
      )
        flow.add(result);
    },
  };
  const [value = null] = loadAll(document, null, options);
  return { value, isFlow: (collection) => flow.has(collection) };
}
