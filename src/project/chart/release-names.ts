import { isJsonMap } from '../../base/util/json-map.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { Mixed, optional, Placed } from './template-text.ts';

/** Characters of names and labels. A dot ends a name, because Services have addresses such as `<name>.<namespace>.svc`. */
const inName = /[\w-]/;
const releaseNamespace = { action: '.Release.Namespace' };
/** Fields that hold the name of a namespace. */
const namespaceFields = new Set(['namespace', 'kubernetes.io/metadata.name']);
/** Kinds whose names become DNS labels or values of labels. Names of other kinds may have 253 characters. */
const labelKinds = new Set(['CronJob', 'DaemonSet', 'Deployment', 'Job', 'Pod', 'Service', 'StatefulSet']);
const longestLabel = 63;
const longestName = 253;
/** The longest beginning: names of scaffolded Services leave this room, whether a project has them yet or not. */
const longestBeginning = longestLabel - '-controller-manager-metrics-service'.length;
/** The shortest one that can be cut off: a letter, and a hash with its dash. */
const shortestCut = 8;

/** Prefix of names, and names that config/default does not define. */
export interface NamedOperator {
  /** Name of the chart, which is the prefix of its templates. */
  readonly chart: string;
  /** Prefix that names in config/default share; empty if they share none. */
  readonly operator: string;
  /** Namespace of the operator, which becomes that of the release. */
  readonly namespace: string | undefined;
  /** Names of objects that are not among those of config/default, such as a Secret that the operator creates. */
  readonly others?: readonly string[];
}

/**
 * Replaces the names of config/default by those of a release, wherever objects mention them: the namespace, and names that begin with the
 * name of the operator.
 */
export class ReleaseNames {
  /** Template actions by the texts that they replace, the longest text first. */
  readonly #replaced: readonly (readonly [text: string, pieces: Mixed['pieces']])[];
  readonly #namespace: string | undefined;
  /** Length of the longest name of a release that is not cut off. */
  readonly longest: number;

  constructor(
    objects: readonly ManifestObject[],
    { chart, operator, namespace, others = [] }: NamedOperator,
  ) {
    const fullName = { action: `include "${chart}.fullname" .` };
    const names = new Map<string, Mixed['pieces']>();
    let longest = Math.max(longestBeginning, operator.length);
    for (const { kind, metadata } of objects) {
      const { name } = metadata;
      if (kind === 'CustomResourceDefinition' || kind === 'Namespace') continue;
      if (operator === '' || !name.startsWith(`${operator}-`)) continue;
      const suffix = name.slice(operator.length);
      longest = Math.min(longest, (labelKinds.has(kind) ? longestLabel : longestName) - suffix.length);
      names.set(name, [fullName, suffix]);
    }
    for (const name of others)
      names.set(name, [
        fullName,
        operator !== '' && name.startsWith(`${operator}-`) ? name.slice(operator.length) : `-${name}`,
      ]);
    this.#namespace = namespace;
    // Other namespaces are meant by fields for namespaces alone: as a word, `default` or `monitoring` is not their name.
    if (namespace !== undefined && operator !== '' && namespace.startsWith(`${operator}-`))
      if (!names.has(namespace)) names.set(namespace, [releaseNamespace]);
    this.#replaced = [...names].sort(([a], [b]) => b.length - a.length);
    this.longest = Math.max(longest, shortestCut);
  }

  /** Returns JSON with the names of the release in its texts. */
  in(node: unknown, field?: string): unknown {
    if (typeof node === 'string') return this.#inText(node, field);
    if (Array.isArray(node))
      return node.map((item) => this.in(item, field === 'matchNames' ? 'namespace' : undefined));
    if (node instanceof Placed) return this.#inPart(node, field);
    if (!isJsonMap(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.in(value, key)]));
  }

  #inPart(placed: Placed, field: string | undefined): Placed {
    const { part } = placed;
    return part.type === 'optional' ? optional(part.block, this.in(part.value, field)) : placed;
  }

  /** Returns a Helm expression for a text with the names of the release. @param expression Helm expression for the original text */
  replacedIn(text: string, expression: string): string {
    const mentioned = this.#replaced.filter(([name]) => text.includes(name));
    const replacements = mentioned.map(
      ([name, pieces]) => ` | replace ${JSON.stringify(name)} ${printed(pieces)}`,
    );
    return `${expression}${replacements.join('')}`;
  }

  /** Returns an expression of Helm for the name that an object has in the release. */
  expressionOf(name: string): string {
    const text = this.#inText(name, undefined);
    return typeof text === 'string' ? JSON.stringify(text) : printed(text.pieces);
  }

  #inText(text: string, field: string | undefined): string | Mixed {
    // The name of an image is not the name of an object.
    if (field === 'image') return text;
    const namespace = this.#namespace;
    if (field !== undefined && namespaceFields.has(field) && namespace !== undefined && text === namespace)
      return new Mixed([releaseNamespace]);
    const pieces: Mixed['pieces'][number][] = [];
    let done = 0;
    for (let at = 0; at < text.length; at++) {
      if (at > 0 && inName.test(text.charAt(at - 1))) continue;
      const found = this.#replaced.find(([name]) => isWord(text, name, at));
      if (found === undefined) continue;
      const [name, replacement] = found;
      pieces.push(text.slice(done, at), ...replacement);
      done = at + name.length;
      const isNamed =
        namespace !== undefined && text.charAt(done) === '.' && isWord(text, namespace, done + 1);
      if (isNamed) {
        pieces.push('.', releaseNamespace);
        done += 1 + namespace.length;
      }
      at = done - 1;
    }
    return done === 0 ? text : new Mixed([...pieces, text.slice(done)].filter((piece) => piece !== ''));
  }
}

function printed(pieces: Mixed['pieces']): string {
  const values = pieces.map((piece) =>
    typeof piece === 'string' ? JSON.stringify(piece) : `(${piece.action})`,
  );
  return `(print ${values.join(' ')})`;
}

function isWord(text: string, word: string, at: number): boolean {
  return text.startsWith(word, at) && !inName.test(text.charAt(at + word.length));
}
