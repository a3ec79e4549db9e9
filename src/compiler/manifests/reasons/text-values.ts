import type ts from 'typescript';
import { callSites } from '../rbac/infer/call-sites.ts';
import {
  bare,
  bodyOf,
  homeOf,
  returnedValues,
  shownText,
  symbolAt,
  type InferContext,
} from '../rbac/infer/infer-context.ts';

/** One value that a text may have. */
export interface ConstantText {
  readonly text: string;
  readonly node: ts.Node;
}

/** An expression whose text differs from one run or object to another, as its syntax shows. */
interface VaryingText {
  readonly node: ts.Node;
  /** The part that varies; the expression itself if it varies as a whole. */
  readonly part: ts.Node;
}

/** Values of a text that the sources show. Other values, such as those of a parameter of an exported function, are in neither list. */
interface TextValues {
  readonly constants: readonly ConstantText[];
  readonly varying: readonly VaryingText[];
}

/** Maximum number of texts that the parts of a template are combined to. */
const MOST_TEXTS = 64;
/** Maximum number of expressions that are read for one text. Functions that call each other in many ways lead to more. */
const MOST_STEPS = 2000;

/** Properties of errors with text for people. A text that contains such a property is also for people. */
const proseOfErrors: ReadonlySet<string> = new Set(['message', 'stack']);
/** Parts of an object that its users write. */
const partsOfUsers: ReadonlySet<string> = new Set(['metadata', 'spec']);
/** Methods that turn any value into text. */
const writers: ReadonlySet<string> = new Set([
  ...['toString', 'toLocaleString', 'toISOString', 'toJSON', 'toFixed', 'toPrecision', 'toExponential'],
]);
/** Methods whose result is constant if their text is constant, and varies if their text varies. */
const changers: ReadonlySet<string> = new Set([
  ...[
    'at',
    'charAt',
    'concat',
    'normalize',
    'padEnd',
    'padStart',
    'replace',
    'replaceAll',
    'slice',
    'substring',
  ],
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart'],
]);

/** Reads the values of a text from its expression. Follows constants, and parameters to the calls of their functions. */
export function textValues(context: InferContext, expression: ts.Expression): TextValues {
  const reading = new Reading(context);
  reading.read(expression);
  return reading;
}

class Reading implements TextValues {
  readonly constants: ConstantText[] = [];
  readonly varying: VaryingText[] = [];
  readonly #context: InferContext;
  /** Nodes that are being read. A function that calls itself adds no further values. */
  readonly #open: Set<ts.Node>;
  readonly #budget: { steps: number };
  /** False if the text may have further values. */
  #isWhole = true;

  constructor(context: InferContext, open: Set<ts.Node> = new Set(), budget = { steps: MOST_STEPS }) {
    this.#context = context;
    this.#open = open;
    this.#budget = budget;
  }

  read(expression: ts.Expression): void {
    const { ts } = this.#context.source;
    const node = bare(this.#context, expression);
    if (ts.isStringLiteralLike(node)) {
      this.constants.push({ text: node.text, node });
      return;
    }
    this.#within(node, () => {
      if (ts.isConditionalExpression(node)) {
        this.read(node.whenTrue);
        this.read(node.whenFalse);
      } else if (ts.isBinaryExpression(node)) this.#readBinary(node);
      else if (!this.#readType(expression) && !this.#readType(node)) this.#readOpen(node);
    });
  }

  #within(node: ts.Node, read: () => void): void {
    if (this.#open.has(node)) return;
    this.#budget.steps -= 1;
    if (this.#budget.steps < 0) {
      this.#isWhole = false;
      return;
    }
    this.#open.add(node);
    read();
    this.#open.delete(node);
  }

  /** Reads an expression separately, without adding its values to those read before. */
  #apart(expression: ts.Expression): Reading {
    const inner = new Reading(this.#context, this.#open, this.#budget);
    inner.read(expression);
    return inner;
  }

  /** Reads the values that the type names. Returns false if it does not name all of them. */
  #readType(node: ts.Expression): boolean {
    const texts = this.#textsOfType(node);
    for (const text of texts ?? []) this.constants.push({ text, node });
    return texts !== undefined;
  }

  /** Returns the text of each value of a type; undefined if the type is not a union of literals. */
  #textsOfType(node: ts.Expression): readonly string[] | undefined {
    const { ts, checker } = this.#context.source;
    const type = checker.getTypeAtLocation(node);
    const texts: string[] = [];
    for (const part of type.isUnion() ? type.types : [type]) {
      if (part.isStringLiteral() || part.isNumberLiteral()) texts.push(String(part.value));
      else if (part.flags & ts.TypeFlags.BooleanLiteral) texts.push(checker.typeToString(part));
      else if (!(part.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never)))
        return undefined;
    }
    return texts;
  }

  /** Reads an expression whose type is any text. */
  #readOpen(node: ts.Expression): void {
    const { ts } = this.#context.source;
    if (ts.isTemplateExpression(node))
      this.#join(node, [
        node.head.text,
        ...node.templateSpans.flatMap(({ expression, literal }) => [expression, literal.text]),
      ]);
    else if (ts.isIdentifier(node)) this.#readName(node);
    else if (ts.isPropertyAccessExpression(node)) this.#readProperty(node);
    else if (ts.isCallExpression(node)) this.#readCall(node);
    else this.#isWhole = false;
  }

  #readBinary(node: ts.BinaryExpression): void {
    const { SyntaxKind } = this.#context.source.ts;
    const { left, right, operatorToken } = node;
    const is = (...kinds: readonly ts.SyntaxKind[]): boolean => kinds.includes(operatorToken.kind);
    if (is(SyntaxKind.PlusToken)) this.#join(node, [left, right]);
    else if (is(SyntaxKind.BarBarToken, SyntaxKind.QuestionQuestionToken)) {
      this.read(left);
      this.read(right);
    } else if (is(SyntaxKind.AmpersandAmpersandToken, SyntaxKind.CommaToken, SyntaxKind.EqualsToken))
      this.read(right);
    else this.#isWhole = false;
  }

  /** Reads a text that is joined from parts. The text is constant if all parts are. */
  #join(node: ts.Expression, parts: readonly (string | ts.Expression)[]): void {
    let texts: readonly string[] = [''];
    let hasKind = false;
    for (const part of parts) {
      const next = typeof part === 'string' ? [part] : this.#textsOf(part);
      if (next === undefined && !isKind(this.#context, part as ts.Expression)) {
        this.varying.push({ node, part: part as ts.Expression });
        return;
      }
      hasKind ||= next === undefined;
      texts = texts.flatMap((text) => (next ?? ['']).map((each) => text + each));
      if (texts.length > MOST_TEXTS) {
        this.#isWhole = false;
        return;
      }
    }
    if (hasKind) this.#isWhole = false;
    else this.constants.push(...texts.map((text) => ({ text, node })));
  }

  /** Returns all texts that an expression may have; undefined if they are not known. */
  #textsOf(expression: ts.Expression): readonly string[] | undefined {
    const texts = this.#textsOfType(expression);
    if (texts !== undefined) return texts;
    const inner = this.#apart(expression);
    return inner.#isWhole && inner.varying.length === 0 && inner.constants.length > 0
      ? inner.constants.map(({ text }) => text)
      : undefined;
  }

  #readName(node: ts.Identifier): void {
    const { ts } = this.#context.source;
    const declaration = symbolAt(this.#context, node)?.valueDeclaration;
    if (declaration === undefined || homeOf(this.#context, declaration) !== 'project') this.#isWhole = false;
    else if (ts.isVariableDeclaration(declaration)) this.#readVariable(declaration);
    else if (ts.isParameter(declaration)) this.#readParameter(declaration);
    else if (ts.isBindingElement(declaration)) this.#readBinding(node, declaration);
    else this.#isWhole = false;
  }

  #readVariable(declaration: ts.VariableDeclaration): void {
    const { ts } = this.#context.source;
    if (declaration.initializer !== undefined) this.read(declaration.initializer);
    else this.#isWhole = false;
    if (
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0 ||
      !ts.isIdentifier(declaration.name)
    )
      return;
    for (const name of this.#context.index.names.get(declaration.name.text) ?? []) {
      const { parent } = name;
      if (!ts.isBinaryExpression(parent) || parent.left !== name) continue;
      if (symbolAt(this.#context, name)?.valueDeclaration !== declaration) continue;
      if (parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) this.read(parent.right);
      else this.#isWhole = false;
    }
  }

  /** Reads the arguments that the project's calls of a function pass for its parameter. */
  #readParameter(parameter: ts.ParameterDeclaration): void {
    const { ts } = this.#context.source;
    if (parameter.initializer !== undefined) this.read(parameter.initializer);
    const position = parameter.parent.parameters.indexOf(parameter);
    const { sites, values } = callSites(this.#context, parameter.parent);
    if (sites.length === 0 || values.length > 0 || parameter.dotDotDotToken !== undefined)
      this.#isWhole = false;
    if (parameter.dotDotDotToken !== undefined) return;
    for (const site of sites) {
      const given = site.arguments?.slice(0, position + 1);
      const argument = given?.[position];
      if (given === undefined || given.some((each) => ts.isSpreadElement(each))) this.#isWhole = false;
      else if (argument !== undefined) this.read(argument);
    }
  }

  /** Reads a destructured name, such as `message` in `const { message } = error`. */
  #readBinding(use: ts.Identifier, element: ts.BindingElement): void {
    this.#isWhole = false;
    if (element.initializer !== undefined) this.read(element.initializer);
    const path = pathOfBinding(this.#context, element);
    if (path !== undefined && isWrittenByPeople(path)) this.varying.push({ node: use, part: use });
  }

  #readProperty(node: ts.PropertyAccessExpression): void {
    const { ts } = this.#context.source;
    const declaration = symbolAt(this.#context, node.name)?.valueDeclaration;
    const isOfProject = declaration !== undefined && homeOf(this.#context, declaration) === 'project';
    const isOfTable = isOfProject && ts.isPropertyAssignment(declaration);
    if (!isOfTable && isWrittenByPeople(pathOf(this.#context, node))) {
      this.varying.push({ node, part: node });
      return;
    }
    this.#isWhole = false;
    if (!isOfProject) return;
    if (isOfTable) this.read(declaration.initializer);
    else if (ts.isPropertyDeclaration(declaration) && declaration.initializer !== undefined)
      this.read(declaration.initializer);
  }

  #readCall(node: ts.CallExpression): void {
    const { ts } = this.#context.source;
    const { expression: callee } = node;
    const [argument] = node.arguments;
    if (ts.isIdentifier(callee) && callee.text === 'String' && argument !== undefined)
      this.#readWritten(node, argument);
    else if (ts.isPropertyAccessExpression(callee)) {
      const name = callee.name.text;
      if (callee.expression.getText() === 'JSON' && name === 'stringify')
        this.varying.push({ node, part: node });
      else if (name === 'randomUUID') this.varying.push({ node, part: node });
      else if (writers.has(name)) this.#readWritten(node, callee.expression);
      else if (changers.has(name)) this.#readChanged(node, callee.expression);
      else this.#readFunction(callee.name);
    } else if (ts.isIdentifier(callee)) {
      if (callee.text === 'randomUUID') this.varying.push({ node, part: node });
      else this.#readFunction(callee);
    } else this.#isWhole = false;
  }

  /** Reads a value that is converted to text. A value that is not a text has constant texts only if its type consists of literals. */
  #readWritten(node: ts.Expression, value: ts.Expression): void {
    const { ts, checker } = this.#context.source;
    const texts = this.#textsOfType(value);
    if (texts !== undefined) this.constants.push(...texts.map((text) => ({ text, node })));
    else if (checker.getTypeAtLocation(value).flags & ts.TypeFlags.StringLike) this.read(value);
    else this.varying.push({ node, part: value });
  }

  #readChanged(node: ts.Expression, text: ts.Expression): void {
    this.#isWhole = false;
    const [part] = this.#apart(text).varying;
    if (part !== undefined) this.varying.push({ node, part: part.part });
  }

  /** Reads the values that a function of the project returns. */
  #readFunction(name: ts.MemberName): void {
    const { ts } = this.#context.source;
    const declaration = symbolAt(this.#context, name)?.valueDeclaration;
    const owner =
      declaration !== undefined && ts.isVariableDeclaration(declaration)
        ? declaration.initializer
        : declaration;
    const isOfProject = owner !== undefined && homeOf(this.#context, owner) === 'project';
    const body = isOfProject && ts.isFunctionLike(owner) ? bodyOf(owner) : undefined;
    if (body === undefined) this.#isWhole = false;
    else for (const value of returnedValues(this.#context, body)) this.read(value);
  }
}

/** Returns true for the message of an error, and for fields of an object that users write. */
function isWrittenByPeople(path: readonly string[]): boolean {
  const inner = path.slice(0, -1);
  return proseOfErrors.has(path.at(-1) ?? '') || inner.some((name) => partsOfUsers.has(name));
}

/** Returns true for the kind of an object, because there are few kinds, all in CamelCase. */
function isKind(context: InferContext, expression: ts.Expression): boolean {
  const node = bare(context, expression);
  return context.source.ts.isPropertyAccessExpression(node) && node.name.text === 'kind';
}

/**
 * Returns the names of a chain of accesses, without that of the variable in front: `site.metadata.name` gives `metadata`, `name`. Follows a
 * variable to its value, as its name alone says nothing: `spec` may be an element of a list of checks.
 */
function pathOf(
  context: InferContext,
  expression: ts.Expression,
  seen: ReadonlySet<ts.Node> = new Set(),
): readonly string[] {
  const { ts } = context.source;
  const node = bare(context, expression);
  if (ts.isPropertyAccessExpression(node)) return [...pathOf(context, node.expression, seen), node.name.text];
  if (ts.isElementAccessExpression(node)) return [...pathOf(context, node.expression, seen), ''];
  if (!ts.isIdentifier(node)) return [];
  const declaration = symbolAt(context, node)?.valueDeclaration;
  if (declaration === undefined || seen.has(declaration)) return [];
  const inside = new Set([...seen, declaration]);
  if (ts.isBindingElement(declaration)) return pathOfBinding(context, declaration, inside) ?? [];
  return ts.isVariableDeclaration(declaration) && declaration.initializer !== undefined
    ? pathOf(context, declaration.initializer, inside)
    : [];
}

/** Returns the path of a destructured name; undefined if it has none. */
function pathOfBinding(
  context: InferContext,
  element: ts.BindingElement,
  seen: ReadonlySet<ts.Node> = new Set(),
): readonly string[] | undefined {
  const { ts } = context.source;
  const name = element.propertyName ?? element.name;
  if (!ts.isIdentifier(name) || !ts.isObjectBindingPattern(element.parent)) return undefined;
  const owner = element.parent.parent;
  const before = ts.isBindingElement(owner)
    ? pathOfBinding(context, owner, seen)
    : ts.isVariableDeclaration(owner) && owner.initializer !== undefined
      ? pathOf(context, owner.initializer, seen)
      : [];
  return before && [...before, name.text];
}

/** Returns the part of a varying text that a message shows. */
export function shownPart({ node, part }: VaryingText): string {
  return node === part ? `${quoted(node)}, which varies` : `${quoted(node)}, of which ${quoted(part)} varies`;
}

/** Returns the source text of a node between backticks. A template literal already has them. */
function quoted(node: ts.Node): string {
  const text = shownText(node);
  return text.startsWith('`') ? text : `\`${text}\``;
}
