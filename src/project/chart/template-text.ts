import { toYaml } from '../../kubernetes/yaml/index.ts';

/**
 * Parts of an object that Helm fills in. {@link helmText} prints a tree of plain JSON with such parts. Everything else in the tree is
 * printed as text without template actions.
 */
export type TemplatePart =
  /** A scalar, or text within one: `{{ .Values.replicas }}`. */
  | { readonly type: 'scalar'; readonly action: string }
  /** A map or list that Helm prints on separate lines: `{{- toYaml .Values.resources | nindent 8 }}`. */
  | { readonly type: 'block'; readonly expression: string }
  /** A conditional entry of a map, or item of a list: `{{- if .Values.metrics.enabled }}`. */
  | { readonly type: 'optional'; readonly block: string; readonly value: unknown }
  /** Entries of a map or items of a list that Helm prints among others; `block` is their condition, if they have one. */
  | { readonly type: 'lines'; readonly block: string | undefined; readonly expression: string };

/** A template part in a tree of JSON. */
export class Placed {
  readonly part: TemplatePart;

  constructor(part: TemplatePart) {
    this.part = part;
  }
}

/** A string that contains template actions. Text and actions alternate. */
export class Mixed {
  readonly pieces: readonly (string | { readonly action: string })[];

  constructor(pieces: readonly (string | { readonly action: string })[]) {
    this.pieces = pieces;
  }
}

export const scalar = (action: string): Placed => new Placed({ type: 'scalar', action: `{{ ${action} }}` });
export const block = (expression: string): Placed => new Placed({ type: 'block', expression });
/** @param block opens the condition: `if .Values.metrics.enabled`, `with .Values.nodeSelector` */
export const optional = (block: string, value: unknown): Placed =>
  new Placed({ type: 'optional', block, value });
/**
 * Returns the part that prints the entries or items of a value, if it has any. In a map, the key of the part is not printed, but determines
 * its position.
 */
export const entries = (values: string): Placed =>
  new Placed({ type: 'lines', block: `with ${values}`, expression: 'toYaml .' });
/** Returns the part that prints the lines of a named template. */
export const included = (expression: string): Placed =>
  new Placed({ type: 'lines', block: undefined, expression });

const opening = '{{';

/** A part with the key whose value it is. */
interface Found {
  readonly part: TemplatePart;
  readonly key: string | undefined;
}

/**
 * Prints a tree as a template of Helm, in the format of sigs.k8s.io/yaml, without a line break at its end. Braces in the texts of the tree
 * are written so that Helm prints them.
 *
 * @throws TypeError for an optional entry that is the first of an item of a list, because the item would lose its dash
 */
export function helmText(tree: unknown): string {
  return linesOf(tree, 0).join('\n');
}

function linesOf(tree: unknown, indent: number): readonly string[] {
  const printer = new PartPrinter(tree, indent);
  return printer.lines().map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
}

/** Returns a text as Helm has to read it to print its braces. */
export function withoutActions(text: string): string {
  return text.replaceAll(opening, `{{ "${opening}" }}`);
}

/** Prints a tree with placeholders in place of its parts, and puts the parts into the lines. */
class PartPrinter {
  readonly #tree: unknown;
  /** Column in the file at which the tree begins. */
  readonly #begin: number;
  readonly #found: Found[] = [];
  /** Prefix of placeholders: a word that YAML never quotes, and that does not occur in the texts of the tree. */
  readonly #word: string;
  /** Matches a line with only a part, as the value of a key or as an item of a list. */
  readonly #partLine: RegExp;
  readonly #part: RegExp;

  constructor(tree: unknown, begin: number) {
    this.#tree = tree;
    this.#begin = begin;
    const texts = JSON.stringify(tree);
    let word = 'HELMPART';
    while (texts.includes(word)) word += 'X';
    this.#word = word;
    this.#partLine = new RegExp(`^( *)((?:- )*)(?:(\\S.*): )?${word}(\\d+)E$`);
    this.#part = new RegExp(`(\\{?)${word}(\\d+)E`, 'g');
  }

  lines(): readonly string[] {
    const lines = toYaml(this.#withWords(this.#tree)).slice(0, -1).split('\n');
    return lines.flatMap((line) => this.#filledIn(line));
  }

  #add(part: TemplatePart, key?: string): string {
    return `${this.#word}${this.#found.push({ part, key }) - 1}E`;
  }

  /** Replaces parts by placeholders. */
  #withWords(node: unknown, key?: string): unknown {
    if (node instanceof Placed) return this.#add(node.part, key);
    if (node instanceof Mixed) {
      const [only] = node.pieces;
      // A namespace may have a name such as 123 or on, which YAML does not read as a text.
      if (node.pieces.length === 1 && typeof only === 'object')
        return this.#add({ type: 'scalar', action: `{{ ${only.action} | quote }}` });
      return node.pieces
        .map((piece) =>
          typeof piece === 'string' ? piece : this.#add({ type: 'scalar', action: `{{ ${piece.action} }}` }),
        )
        .join('');
    }
    if (Array.isArray(node)) return node.map((item) => this.#withWords(item));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([name, value]) => [name, this.#withWords(value, name)]),
    );
  }

  #filledIn(line: string): readonly string[] {
    const [, indent = '', dashes = '', label, index] = this.#partLine.exec(line) ?? [];
    const found = this.#found[Number(index ?? -1)];
    if (found === undefined || found.part.type === 'scalar') return [this.#withActions(line)];
    const { part, key } = found;
    if (part.type === 'block') {
      const column = indent.length + dashes.length + 2;
      const before = `${indent}${dashes}${this.#withActions(label ?? '')}:`;
      return [before, `${' '.repeat(column)}${this.#printed(part.expression, column)}`];
    }
    if (key !== undefined && dashes !== '')
      throw new TypeError(`${key}: an optional entry cannot begin an item of a list`);
    const inner =
      part.type === 'lines'
        ? [`${indent}${this.#printed(part.expression, indent.length)}`]
        : linesOf(key === undefined ? [part.value] : { [key]: part.value }, indent.length);
    if (part.block === undefined) return inner;
    return [`${indent}{{- ${part.block} }}`, ...inner, `${indent}{{- end }}`];
  }

  /** Returns an action that prints lines at a column of the tree. */
  #printed(expression: string, column: number): string {
    return `{{- ${expression} | nindent ${this.#begin + column} }}`;
  }

  #withActions(line: string): string {
    // Texts that are quoted because of their braces stay quoted.
    return withoutActions(line).replaceAll(this.#part, (_match, brace: string, index: string) => {
      const part = this.#found[Number(index)]?.part;
      if (part?.type !== 'scalar') throw new TypeError(`${line.trim()}: a part cannot be within a text`);
      // Three braces in a row would begin an action after the second one.
      return brace === '' ? part.action : `{{ "{" }}${part.action}`;
    });
  }
}
