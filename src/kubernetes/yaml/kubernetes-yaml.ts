import { FindingList, type Finding } from '../../base/errors/index.ts';
import { tooLargeYaml, yamlLimits, YamlBudget } from './limits.ts';
import type { YamlReader } from './go-schema.ts';
import type { YamlDocument, YamlPlace, LastLine } from './read-yaml.ts';
import {
  loadDocument,
  refusedKeys,
  type LoadProblem,
  loadParts,
  type DocumentPart,
  loadTexts,
  type DocumentTexts,
} from './load-document.ts';
import { plainValues } from './plain-values.ts';
import { yamlStreamParts, type StreamPart } from './stream.ts';
import type { JsonPathSegment } from './document-to-json.ts';

export interface KubernetesYamlOptions {
  /**
   * Returns true for documents in which values that JSON cannot represent are refused. In all other documents, such values are accepted.
   * Default: they are refused in all documents.
   */
  readonly concerns?: (value: unknown) => boolean;
  /**
   * True to accept integers beyond 2^53-1 and round them, for documents that are only read and never written back. Default: such integers
   * are refused.
   */
  readonly roundIntegers?: boolean;
  /**
   * The tool by whose rules the text is read. In kustomize, `on` and `y` are text. Duplicate keys or numeric keys of a mapping make a build
   * of kustomize fail, so files with such keys are refused. Files with dates that kustomize would rewrite are refused, too. Default:
   * `kubernetes`.
   */
  readonly reader?: YamlReader;
  /**
   * Treatment of a block scalar (`|`, `>`) on a last line without line end. Default: `as-written` for kustomize, `completed` for
   * Kubernetes' tools.
   */
  readonly lastLine?: LastLine;
  /** Limits on the total input, shared by all files that one command reads. Default: separate limits for this text alone. */
  readonly budget?: YamlBudget;
}

/** A document that computes the positions of its values on demand, by parsing its text a second time. */
export interface KubernetesDocument extends YamlDocument {
  /**
   * Returns the same document with a separate cache of positions. The memory of this cache is freed together with the returned document.
   */
  readonly reread: () => YamlDocument;
  /** Parses the text of the document a second time, and returns its values as written, without conversion. */
  readonly texts: () => DocumentTexts;
}

/**
 * Parses YAML or JSON of other tools like Kubernetes' own tools (sigs.k8s.io/yaml). Booleans and octal numbers follow YAML 1.1, the last
 * value of a duplicate key is used, and quoted text may have any indentation. Documents end at lines of `---`, like in apimachinery, and
 * empty documents are skipped. If Go would silently ignore a part of the file (text after `...`), the file is refused.
 *
 * Time and memory are limited by a {@link YamlBudget}. Positions are computed when they are first used.
 *
 * @param file the name shown in findings, relative to the folder in which the command runs
 * @throws OpSdkError with a finding for each document that cannot be read: `io/yaml-syntax`, `io/yaml-not-json`, `io/too-large`
 */
export function parseKubernetesYaml(
  text: string,
  file: string,
  options: KubernetesYamlOptions = {},
): readonly KubernetesDocument[] {
  const { budget = new YamlBudget() } = options;
  budget.spendText(text, file);
  const findings = new FindingList();
  findings.add(...foreignBreaks(text, file));
  const documents: KubernetesDocument[] = [];
  for (const part of yamlStreamParts(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)) {
    if (findings.all.length >= yamlLimits.findings)
      findings.add(tooLargeYaml('findings', { file, line: part.line, column: 1 }));
    // Reading stops at the first document that is too large, because each of the following documents would repeat this finding.
    if (findings.all.at(-1)?.code === 'io/too-large') break;
    const document = readPart(part, file, { ...options, budget }, findings);
    if (document !== undefined) documents.push(document);
  }
  findings.throwIfAny();
  return documents;
}

function readPart(
  { text, line: firstLine }: StreamPart,
  file: string,
  {
    concerns,
    roundIntegers = false,
    reader = 'kubernetes',
    lastLine = reader === 'kustomize' ? 'as-written' : 'completed',
    budget,
  }: KubernetesYamlOptions & { readonly budget: YamlBudget },
  findings: FindingList,
): KubernetesDocument | undefined {
  const placeAt = placesIn(text, firstLine, file);
  const loaded = loadDocument(text, reader, budget.left('values'), lastLine);
  if ('problem' in loaded) {
    findings.add(problemFinding(loaded.problem, placeAt(loaded.problem.offset), budget));
    return undefined;
  }
  if (loaded.more) {
    findings.add({
      code: 'io/yaml-syntax',
      message: 'the file has text after the end of a document, which Kubernetes ignores',
      where: placeAt(0),
      fix: ['separate documents by a line that holds nothing but `---`'],
    });
    return undefined;
  }
  const locate = locator(text, placeAt);
  const { value, size, problems } = plainValues(loaded.value, budget.left('values'), roundIntegers);
  // A document that exceeds the budget has been reported and is not kept, so its size is not subtracted from the budget.
  if (size <= budget.left('values'))
    budget.spend('values', Math.min(size + costOfDocument, budget.left('values')), { file });
  const isLookedAt = concerns?.(value) ?? true;
  for (const { code, message, path, fix } of problems) {
    if (!isLookedAt && code === 'io/yaml-not-json') continue;
    if (findings.all.length >= yamlLimits.findings) {
      findings.add(tooLargeYaml('findings', locate(path)));
      break;
    }
    if (code === 'io/too-large') findings.add(budget.exceeded('values', locate(path)));
    else findings.add({ code, message, where: locate(path), ...(fix === undefined ? {} : { fix: [fix] }) });
  }
  for (const { key, problem, offset } of reader === 'kustomize' ? refusedKeys(text) : []) {
    if (findings.all.length >= yamlLimits.findings) {
      findings.add(tooLargeYaml('findings', placeAt(offset)));
      break;
    }
    const isTwice = problem === 'occurs twice';
    findings.add({
      code: isTwice ? 'io/yaml-syntax' : 'io/yaml-not-json',
      message: isTwice
        ? `the key ${JSON.stringify(key)} occurs twice`
        : `YAML does not read the key ${key} as text, so kustomize cannot build with it`,
      where: placeAt(offset),
      fix: [isTwice ? 'remove one of them' : 'put the key into quotes'],
    });
  }
  if (value === null) return undefined;
  return {
    value,
    locate,
    reread: () => ({ value, locate: locator(text, placesIn(text, firstLine, file)) }),
    texts: () => loadTexts(text),
  };
}

/** Creates the function that returns the positions of values in a document. The positions are parsed once, at the first call. */
function locator(text: string, placeAt: (offset: number) => YamlPlace): YamlDocument['locate'] {
  let places: DocumentPlaces | undefined;
  return (path) => placeAt(path.length === 0 ? startOf(text) : (places ??= documentPlaces(text))(path));
}

/** Fixed cost of a document in the budget, in values. */
const costOfDocument = 10;

/** Returns the offset at which the content of a document begins, after leading comments and the `---` line. */
function startOf(text: string): number {
  return /^(?:\s|#.*|---(?=\s))*/.exec(text)?.[0].length ?? 0;
}

/**
 * Reports line breaks that exist only in YAML 1.1 and that editors do not show. Files with such line breaks are refused, because readers
 * count lines in them differently.
 */
function foreignBreaks(text: string, file: string): readonly Finding[] {
  const [found] = /[\u0085\u2028\u2029]/.exec(text) ?? [];
  if (found === undefined) return [];
  const name = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return [
    {
      code: 'io/yaml-ambiguous',
      message: `the character U+${name} ends the line in YAML 1.1, but not in YAML 1.2`,
      where: placesIn(text, 1, file)(text.indexOf(found)),
      fix: [`write the text in double quotes, with \\u${name} for the character`],
    },
  ];
}

function problemFinding({ limit, message }: LoadProblem, where: YamlPlace, budget: YamlBudget): Finding {
  if (limit === 'values') return budget.exceeded(limit, where);
  if (limit !== undefined) return tooLargeYaml(limit, where);
  return { code: 'io/yaml-syntax', message, where, fix: ['correct the YAML at this place'] };
}

/**
 * Returns a function that converts offsets to positions (file, line and column). Line starts are computed only once, because a list with
 * very many objects needs the position of each object.
 */
function placesIn(text: string, firstLine: number, file: string): (offset: number) => YamlPlace {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length];
    // Binary search for the last line that begins at the offset or before it.
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { file, line: firstLine + low, column: offset - (starts[low] ?? 0) + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * A function that returns the offset of the value at a path. If the path does not exist, it returns the offset of the nearest value that
 * contains it.
 */
type DocumentPlaces = (path: readonly JsonPathSegment[]) => number;

/** Parses a document that has been parsed before, to look up offsets in it: of the key of a mapping entry, or of a list item. */
function documentPlaces(text: string): DocumentPlaces {
  const root = loadParts(text);
  // An alias has no parts, so the parts of the anchored value are used instead.
  const owners = new Map<unknown, DocumentPart>();
  const collect = (part: DocumentPart): void => {
    if (part.parts.length > 0 && !owners.has(part.value)) owners.set(part.value, part);
    part.parts.forEach(collect);
  };
  if (root !== undefined) collect(root);
  // The children of a part are cached, because very many places may be looked up in very large lists and mappings.
  const known = new Map<DocumentPart, ReadonlyMap<JsonPathSegment, Found>>();
  const childrenOf = (part: DocumentPart): ReadonlyMap<JsonPathSegment, Found> => {
    const children =
      known.get(part) ?? (Array.isArray(part.value) ? itemsOf(part.value, part.parts) : pairsOf(part.parts));
    known.set(part, children);
    return children;
  };
  return (path) => {
    let part = root;
    let offset = root?.start ?? 0;
    for (const segment of path) {
      if (part === undefined) break;
      const owner = owners.get(part.value) ?? part;
      const next = childrenOf(owner).get(Array.isArray(owner.value) ? Number(segment) : String(segment));
      if (next === undefined) break;
      offset = next.at.start;
      part = next.part;
    }
    // An explicit key (`? key`) begins after the spaces that follow the `?`.
    while (text[offset] === ' ') offset++;
    return offset;
  };
}

interface Found {
  readonly at: DocumentPart;
  readonly part: DocumentPart | undefined;
}

function itemsOf(items: readonly unknown[], parts: readonly DocumentPart[]): ReadonlyMap<number, Found> {
  const found = new Map<number, Found>();
  let next = 0;
  for (const [index, item] of items.entries()) {
    const part = parts[next];
    // js-yaml reports no part for an item without text, so such an item is skipped.
    if (part === undefined || !Object.is(part.value, item)) continue;
    found.set(index, { at: part, part });
    next++;
  }
  return found;
}

/**
 * Returns the positions of the entries of a mapping by key. If a key occurs several times, the last entry is returned, because its value is
 * used.
 */
function pairsOf(parts: readonly DocumentPart[]): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (let index = 0; index < parts.length; index += 2) {
    const at = parts[index];
    if (at !== undefined) found.set(String(at.value), { at, part: parts[index + 1] });
  }
  return found;
}
