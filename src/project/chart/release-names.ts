import { isJsonMap } from '../../base/util/json-map.ts';
import type { ManifestObject } from '../../kubernetes/yaml/index.ts';
import { Mixed, optional, Placed } from './template-text.ts';

/** Characters of names and labels. A dot ends a name, because Services have addresses such as `<name>.<namespace>.svc`. */
const inName = /[\w-]/;
const releaseNamespace = { action: '.Release.Namespace' };
/** Fields that hold the name of a namespace. */
const namespaceFields = new Set(['namespace', 'kubernetes.io/metadata.name']);

/**
 * Replaces the names of config/default by those of a release, wherever objects mention them: the namespace, and names that begin with the
 * name of the operator.
 */
export class ReleaseNames {
  /** Template actions by the texts that they replace, the longest text first. */
  readonly #replaced: readonly (readonly [text: string, pieces: Mixed['pieces']])[];
  /** Namespaces that are replaced only in fields for namespaces, because elsewhere `default` or `monitoring` may be an ordinary word. */
  readonly #namespaces = new Set<string>();
  /** Length of the longest suffix that follows the name of the release. */
  readonly longestSuffix: number;

  /**
   * @param chart name of the chart, which is the prefix of its templates
   * @param operator the prefix that names in `objects` share
   * @param others names of objects that are not in `objects`, such as a Secret that the operator creates
   */
  constructor(
    objects: readonly ManifestObject[],
    chart: string,
    operator: string,
    others: readonly string[] = [],
  ) {
    const fullName = { action: `include "${chart}.fullname" .` };
    const names = new Map<string, Mixed['pieces']>();
    let longest = 0;
    for (const { kind, metadata } of objects) {
      const { name, namespace } = metadata;
      if (namespace?.startsWith(`${operator}-`) === true) names.set(namespace, [releaseNamespace]);
      else if (namespace !== undefined) this.#namespaces.add(namespace);
      if (kind === 'CustomResourceDefinition' || kind === 'Namespace') continue;
      if (!name.startsWith(`${operator}-`)) continue;
      const suffix = name.slice(operator.length);
      longest = Math.max(longest, suffix.length);
      names.set(name, [fullName, suffix]);
    }
    for (const name of others)
      names.set(name, [fullName, name.startsWith(`${operator}-`) ? name.slice(operator.length) : `-${name}`]);
    this.#replaced = [...names].sort(([a], [b]) => b.length - a.length);
    this.longestSuffix = longest;
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
    const replacements = mentioned.map(([name, pieces]) => {
      const values = pieces.map((piece) => (typeof piece === 'string' ? `"${piece}"` : `(${piece.action})`));
      return ` | replace "${name}" (print ${values.join(' ')})`;
    });
    return `${expression}${replacements.join('')}`;
  }

  #inText(text: string, field: string | undefined): string | Mixed {
    // The name of an image is not the name of an object.
    if (field === 'image') return text;
    if (field !== undefined && namespaceFields.has(field) && this.#namespaces.has(text))
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
      const namespace = [...this.#namespaces].find(
        (each) => text.charAt(done) === '.' && isWord(text, each, done + 1),
      );
      if (namespace !== undefined) {
        pieces.push('.', releaseNamespace);
        done += 1 + namespace.length;
      }
      at = done - 1;
    }
    return done === 0 ? text : new Mixed([...pieces, text.slice(done)].filter((piece) => piece !== ''));
  }
}

function isWord(text: string, word: string, at: number): boolean {
  return text.startsWith(word, at) && !inName.test(text.charAt(at + word.length));
}
