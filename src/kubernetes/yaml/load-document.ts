import {
  loadAll,
  YAMLException,
  type EventType,
  type LoadOptions,
  type State,
  FAILSAFE_SCHEMA,
  Type,
} from 'js-yaml';
import { isJsonMap } from '../../base/util/json-map.ts';
import { goSchema, isMergeKey, type YamlReader } from './go-schema.ts';
import {
  hasOpenLine,
  withoutAddedBreak,
  type LastLine,
  mostYamlLevels,
  type YamlPlace,
} from './read-yaml.ts';
import { yamlLimits } from './limits.ts';
import { yamlStreamParts } from './stream.ts';

/** A part of a document: a value as js-yaml has read it, and the offset at which its text begins. */
export interface DocumentPart {
  readonly start: number;
  readonly value: unknown;
  /** The nested parts: for a mapping, its keys and values in turn; for a list, its items. Items and values without text may be missing. */
  readonly parts: readonly DocumentPart[];
}

export interface LoadProblem {
  readonly limit?: 'values' | 'levels';
  readonly message: string;
  /** Offset of the problem in the text; the first character is 0. */
  readonly offset: number;
}

/** The result of loading a document: its value, or a problem. `more` is true if text follows after the end of the document. */
type Loaded = { readonly value: unknown; readonly more: boolean } | { readonly problem: LoadProblem };

/** Thrown by js-yaml's listener when a limit is exceeded, because the parser can be stopped only by an exception. */
class OverLimit extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super('too many values');
    this.offset = offset;
  }
}

const schemas = { kubernetes: goSchema('kubernetes'), kustomize: goSchema('kustomize') };

/** Options of js-yaml, including `maxDepth`, which js-yaml's type declarations lack. */
interface Options extends LoadOptions {
  readonly maxDepth: number;
}

/**
 * Reads the text of one document with js-yaml, without positions. This is five times as fast as the parser that keeps positions, and needs
 * a fifth of its memory.
 * @param mostValues approximate maximum number of values; limits the memory
 */
export function loadDocument(
  text: string,
  reader: YamlReader = 'kubernetes',
  mostValues: number = yamlLimits.values,
  lastLine: LastLine = 'completed',
): Loaded {
  const isOpen = lastLine === 'as-written' && hasOpenLine(text);
  let visits = 0;
  let scalars = 0;
  let isLeaf = false;
  return load(text, reader, (event, state) => {
    // js-yaml adds a line end to the last line of the text. Only a block scalar includes this line end in its value, so it is removed from
    // the value of a block scalar.
    if (isOpen && event === 'close' && typeof state.result === 'string' && state.position > text.length)
      state.result = withoutAddedBreak(text, state.result, true);
    if (event === 'close' && isLeaf) scalars++;
    isLeaf = event === 'open';
    // The factor of 6 allows for values that js-yaml visits up to three times before it determines their type.
    if (scalars > mostValues || ++visits > 6 * mostValues + 6) throw new OverLimit(state.position);
  });
}

/** A mapping key that makes a build of kustomize fail. */
interface RefusedKey {
  readonly key: string;
  readonly problem: 'occurs twice' | 'is not text';
  readonly offset: number;
}

/**
 * Returns the mapping keys that occur twice, or that are numbers, booleans, null or dates, with their offsets. Keys are compared by their
 * text, like in Go: `y`, `yes` and `"true"` differ, `1` and `"1"` are equal.
 */
export function refusedKeys(text: string): readonly RefusedKey[] {
  const found: RefusedKey[] = [];
  const visit = ({ value, parts }: DocumentPart): void => {
    const isMapping = isJsonMap(value);
    const keys = new Set<string>();
    for (const [index, part] of parts.entries()) {
      visit(part);
      if (!isMapping || index % 2 === 1) continue;
      const key = keyText(part, text);
      if (keys.has(key)) found.push({ key, problem: 'occurs twice', offset: part.start });
      else if (typeof part.value !== 'string')
        found.push({ key, problem: 'is not text', offset: part.start });
      keys.add(key);
    }
  };
  const root = loadParts(text, 'kustomize');
  if (root !== undefined) visit(root);
  return found;
}

/**
 * Returns the text of a key. If js-yaml did not read the key as text, the key has neither quotes nor blanks, so its text is cut from the
 * source.
 */
function keyText({ start, value }: DocumentPart, text: string): string {
  if (typeof value === 'string') return isMergeKey(value) ? '<<' : value;
  const plain = /\s*([^\s:,}\]]*)/y;
  plain.lastIndex = start;
  return plain.exec(text)?.[1] ?? String(value);
}

/**
 * Reads a document like {@link loadDocument}, but keeps the positions of all parts. The document must have been read before without a
 * problem.
 */
export function loadParts(text: string, reader: YamlReader = 'kubernetes'): DocumentPart | undefined {
  interface Open {
    start: number;
    value: unknown;
    parts: Open[];
  }
  const root: Open = { start: 0, value: undefined, parts: [] };
  const open: Open[] = [root];
  load(text, reader, (event, state) => {
    if (event === 'open') {
      const part = { start: state.position, value: undefined, parts: [] };
      open.at(-1)?.parts.push(part);
      open.push(part);
      return;
    }
    const part = open.pop();
    if (part === undefined) return;
    part.value = state.result as unknown;
    // js-yaml tries to read every block value as the first key of a mapping, which adds a level of parts. If the value is not a key,
    // js-yaml reuses the result, and the added level is removed here.
    const [only, second] = part.parts;
    if (only !== undefined && second === undefined && Object.is(only.value, part.value))
      part.parts = only.parts;
  });
  return root.parts[0];
}

type Listener = (event: EventType, state: State) => void;

function load(text: string, reader: YamlReader, listener: Listener): Loaded {
  const options: Options = {
    schema: schemas[reader],
    // With `json`, js-yaml uses the last value of a duplicate key, as Go does.
    json: true,
    maxDepth: yamlLimits.levels,
    // `onWarning` is not set, because js-yaml renders an excerpt of the text for each warning, and every line may cause a warning.
    listener,
  };
  try {
    const [value = null, ...rest] = loadAll(text, null, options);
    return { value, more: rest.some((other) => other !== null) };
  } catch (error) {
    if (error instanceof OverLimit)
      return { problem: { limit: 'values', message: error.message, offset: error.offset } };
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error as YAMLException & { mark?: YAMLException['mark'] };
    return {
      problem: {
        ...(reason.startsWith('nesting exceeded') ? { limit: 'levels' as const } : {}),
        message: reason,
        offset: mark?.position ?? 0,
      },
    };
  }
}

/** A document as written: scalars are texts. This distinguishes `1.0` from `1`, and a field without text from a written null. */
export interface DocumentTexts {
  /** The document as texts, lists and mappings; null for a value without text. A `<<` key is not merged, but kept like other keys. */
  readonly value: unknown;
  /** Returns true if a list or mapping in `value` is written in brackets or braces. */
  readonly isFlow: (collection: object) => boolean;
}

const text = (read: string | null): string => read ?? '';

/** A js-yaml schema that reads all scalars as text and ignores tags. */
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

/** Reads the text of one document as written. The document must have been read before without a problem. */
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
      // The end of a list or mapping without brackets lies after a line break.
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

/** The value of a folded block scalar (`>`), and the position of the `>`. */
interface FoldedText {
  readonly value: string;
  readonly where: YamlPlace;
}

/**
 * Returns the folded block scalars (`>`) in all documents of a file.
 *
 * @param text must have been parsed before without a problem; unreadable documents give no results
 * @param file the file name in the returned positions
 */
export function foldedTexts(text: string, file: string): readonly FoldedText[] {
  // This quick test comes first, because few files have folded texts, and finding positions requires parsing the file a second time.
  if (!/(?:^|\s)>[-+\d]*[ \t]*(?:#.*)?$/m.test(text)) return [];
  const found: FoldedText[] = [];
  for (const part of yamlStreamParts(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)) {
    const seen = new Set<number>();
    const visit = ({ start, value, parts }: DocumentPart): void => {
      parts.forEach(visit);
      const at = typeof value === 'string' ? headerAt(part.text, start) : undefined;
      if (typeof value !== 'string' || at === undefined || seen.has(at)) return;
      seen.add(at);
      const before = part.text.slice(0, at).split('\n');
      const where = { file, line: part.line + before.length - 1, column: (before.at(-1) ?? '').length + 1 };
      found.push({ value, where });
    };
    const root = loadParts(part.text, 'kustomize');
    if (root !== undefined) visit(root);
  }
  return found;
}

/**
 * Returns the offset of the `>` that begins a block scalar, after its tag and anchor; undefined if the text at `start` is not a folded
 * block scalar.
 */
function headerAt(text: string, start: number): number | undefined {
  const header = /\s*(?:[!&]\S*\s+)*>(?=[-+\d]*[ \t]*(?:#.*)?$)/my;
  header.lastIndex = start;
  return header.test(text) ? header.lastIndex - 1 : undefined;
}
