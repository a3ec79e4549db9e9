import type ts from 'typescript';
import type { Finding } from '../../../base/errors/index.ts';
import { isProjectFile, type SourceProgram } from '../program/load.ts';
import {
  isConstVariable,
  isOwnSource,
  placeOf,
  symbolOfName,
  type EvaluateContext,
} from './evaluate-context.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluated, SourcePlace } from './evaluated-value.ts';
import { withoutTypeSyntax } from './tokens.ts';

/** Classes of prom-client, with the type that Prometheus gives their metrics. */
const metricClasses = {
  Counter: 'counter',
  Gauge: 'gauge',
  Histogram: 'histogram',
  Summary: 'summary',
} as const;
type MetricClass = keyof typeof metricClasses;
export type MetricType = (typeof metricClasses)[MetricClass];

/** One call `new Counter({ … })` whose metric the operator serves, because it is registered in `metricsRegistry`. */
export interface MetricDeclaration {
  /** Name of the class: `Counter`. */
  readonly className: string;
  readonly type: MetricType;
  readonly place: SourcePlace;
  /** The evaluated argument. Its property `registers` is opaque. */
  readonly options: Evaluated | undefined;
}

interface MetricDeclarations {
  /** Sorted by file name and by position in the file. */
  readonly metrics: readonly MetricDeclaration[];
  /** Warnings about metrics that cannot be read from the sources, and about metrics that no registry of the operator serves. */
  readonly findings: readonly Finding[];
}

/**
 * Reads the metrics that the sources of a project register in `metricsRegistry`: by the option `registers` of a class of prom-client, or by
 * `metricsRegistry.registerMetric`. Every other use of the registry through which metrics may be registered becomes a finding.
 */
export function readMetricDeclarations(source: SourceProgram): MetricDeclarations {
  const files = source.program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && isProjectFile(source.program, file))
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
  // Most projects have no metrics of their own, so the names in their sources need not be resolved.
  if (!files.some(({ text }) => /prom-client|metricsRegistry/.test(text)))
    return { metrics: [], findings: [] };
  const reader = new MetricReader(source);
  for (const file of files) reader.collect(file);
  return reader.result();
}

/** Reads all files before it judges: a metric may be registered in another file than the one that creates it. */
class MetricReader {
  readonly #context: EvaluateContext;
  readonly #created: { readonly node: ts.NewExpression; readonly name: MetricClass }[] = [];
  readonly #registered = new Set<ts.NewExpression>();
  readonly #findings: Finding[] = [];
  /** Mentions of the registry that have been read as part of `registers`. */
  readonly #understood = new Set<ts.Node>();
  readonly #mentions: ts.Identifier[] = [];

  constructor(context: EvaluateContext) {
    this.#context = context;
  }

  collect(file: ts.SourceFile): void {
    const { ts } = this.#context;
    const visit = (node: ts.Node): void => {
      if (ts.isNewExpression(node)) this.#readNew(node);
      if (ts.isCallExpression(node)) this.#readRegisterCall(node);
      if (ts.isIdentifier(node) && isVariable(this.#context, node) && isMetricsRegistry(this.#context, node))
        this.#mentions.push(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
  }

  result(): MetricDeclarations {
    const metrics = this.#created.flatMap(({ node, name }): readonly MetricDeclaration[] => {
      const served = this.#registered.has(node) ? true : this.#isServed(node);
      const place = placeOf(this.#context, node);
      if (served === undefined) {
        const message = `new ${name}: the registries of this metric cannot be read, so it is left out`;
        this.#findings.push(unread(message, place, 'write registers: [metricsRegistry]'));
        return [];
      }
      if (served === 'elsewhere') return [];
      if (!served) {
        this.#findings.push({
          code: 'manifests/unserved-metric',
          message: `new ${name}: the metric is not registered in metricsRegistry, so the operator does not serve it`,
          where: place,
          fix: ['add registers: [metricsRegistry]'],
        });
        return [];
      }
      const [argument] = node.arguments ?? [];
      const options = argument && evaluate(this.#context, argument);
      return [{ className: name, type: metricClasses[name], place, options }];
    });
    for (const mention of this.#mentions) this.#judgeMention(mention);
    return { metrics, findings: this.#findings };
  }

  #readNew(node: ts.NewExpression): void {
    const found = metricClassOf(this.#context, node.expression);
    if (found === undefined) return;
    if (found.isDerived) {
      const message = `new ${node.expression.getText()}: a class that extends ${found.name} may set options that cannot be read, so the metric is left out`;
      this.#findings.push(
        unread(message, placeOf(this.#context, node), `create the metric by new ${found.name}({ … })`),
      );
    } else this.#created.push({ node, name: found.name });
  }

  /** Reads `metricsRegistry.registerMetric(metric)`. */
  #readRegisterCall(node: ts.CallExpression): void {
    const { ts } = this.#context;
    const { expression } = node;
    if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'registerMetric') return;
    if (!isMetricsRegistry(this.#context, expression.expression)) return;
    const [argument] = node.arguments;
    const created = argument && this.#creationOf(argument);
    if (created !== undefined) {
      this.#registered.add(created);
      return;
    }
    const message = `registerMetric: ${argument === undefined ? 'the metric' : argument.getText()} cannot be traced to the call that creates it, so it is left out`;
    this.#findings.push(
      unread(
        message,
        placeOf(this.#context, argument ?? node),
        'pass a `const` that is new Counter({ … }), or write registers: [metricsRegistry] where the metric is created',
      ),
    );
  }

  /** Returns the `new Counter(…)` that an expression, or the constant that it names, evaluates to. */
  #creationOf(expression: ts.Expression): ts.NewExpression | undefined {
    const { ts } = this.#context;
    const node = this.#valueOf(expression);
    return ts.isNewExpression(node) && metricClassOf(this.#context, node.expression) ? node : undefined;
  }

  /**
   * Returns true if `registers` names `metricsRegistry`, and `elsewhere` if it only names other registries; undefined if that cannot be
   * read.
   */
  #isServed(node: ts.NewExpression): boolean | 'elsewhere' | undefined {
    const [argument] = node.arguments ?? [];
    if (argument === undefined) return false;
    const found = this.#registersOf(argument);
    if (found === undefined) return undefined;
    const [registers] = found.slice(-1);
    return registers === undefined ? false : this.#namesRegistry(registers);
  }

  /** Returns the values of `registers` in an object, of which the last one counts; undefined if the object cannot be read. */
  #registersOf(
    options: ts.Expression,
    outer: readonly ts.Expression[] = [],
  ): readonly ts.Expression[] | undefined {
    const { ts } = this.#context;
    const literal = this.#valueOf(options);
    if (!ts.isObjectLiteralExpression(literal) || outer.includes(literal)) return undefined;
    const found: ts.Expression[] = [];
    for (const member of literal.properties) {
      if (ts.isSpreadAssignment(member)) {
        const inner = this.#registersOf(member.expression, [...outer, literal]);
        if (inner === undefined) return undefined;
        found.push(...inner);
      } else if (ts.isComputedPropertyName(member.name) && !ts.isStringLiteralLike(member.name.expression)) {
        return undefined;
      } else if (member.name.getText().replaceAll(/[['"`\]]/g, '') === 'registers') {
        if (ts.isPropertyAssignment(member)) found.push(member.initializer);
        else if (ts.isShorthandPropertyAssignment(member)) found.push(member.name);
        else return undefined;
      }
    }
    return found;
  }

  #namesRegistry(value: ts.Expression): boolean | 'elsewhere' | undefined {
    const { ts } = this.#context;
    const list = this.#valueOf(value);
    if (!ts.isArrayLiteralExpression(list)) return undefined;
    const own = list.elements.filter((item) => isMetricsRegistry(this.#context, item));
    for (const item of own) this.#understood.add(withoutTypeSyntax(this.#context, item));
    if (own.length > 0) return true;
    const others = list.elements.map((item) => this.#otherRegistry(item));
    if (others.includes(undefined)) return undefined;
    return others.includes('created') && 'elsewhere';
  }

  /**
   * Returns `created` for a registry that the sources create, and `global` for the one of prom-client; undefined for what may be
   * `metricsRegistry`, such as a field or a parameter.
   */
  #otherRegistry(expression: ts.Expression): 'created' | 'global' | undefined {
    const { ts } = this.#context;
    const node = this.#valueOf(expression);
    if (ts.isNewExpression(node)) return 'created';
    return /^(?:register|globalRegistry)$/.test(importedFrom(this.#context, node) ?? '')
      ? 'global'
      : undefined;
  }

  /** Returns an expression without type syntax, or in place of the name of a `const`, what the constant is in the end. */
  #valueOf(expression: ts.Expression): ts.Expression {
    const seen = new Set<ts.Node>();
    for (let node = withoutTypeSyntax(this.#context, expression); ;) {
      const declaration = symbolOfName(this.#context, node)?.valueDeclaration;
      if (declaration === undefined || !isConstVariable(this.#context, declaration)) return node;
      // Constants that name each other have no value.
      if (declaration.initializer === undefined || seen.has(declaration)) return node;
      seen.add(declaration);
      node = withoutTypeSyntax(this.#context, declaration.initializer);
    }
  }

  /** Reports a mention of the registry by which a function, possibly one of a package, may register metrics. */
  #judgeMention(node: ts.Identifier): void {
    const { ts } = this.#context;
    if (this.#understood.has(node)) return;
    let outer: ts.Node = node.parent;
    // `const metrics = metricsRegistry`, imports and exports only give it another name; of its members only registerMetric registers.
    if (
      ts.isPropertyAccessExpression(outer) ||
      ts.isVariableDeclaration(outer) ||
      ts.isImportSpecifier(outer) ||
      ts.isExportSpecifier(outer) ||
      ts.isTypeQueryNode(outer)
    )
      return;
    while (!ts.isCallExpression(outer) && !ts.isNewExpression(outer)) {
      if (ts.isStatement(outer) || ts.isSourceFile(outer)) return;
      outer = outer.parent;
    }
    const callee = outer.expression.getText();
    // The operator serves the default metrics by itself, and the dashboard has panels for them.
    if (/(?:^|\.)collectDefaultMetrics$/.test(callee)) return;
    if (metricClassOf(this.#context, outer.expression) !== undefined) return;
    this.#findings.push(
      unread(
        `${callee} is given metricsRegistry: metrics that it registers cannot be read, so they are left out`,
        placeOf(this.#context, node),
        'add panels for them by hand: a second run keeps them',
      ),
    );
  }
}

function unread(message: string, where: SourcePlace, fix: string): Finding {
  return { code: 'manifests/unread-metric', message, where, fix: [fix] };
}

/** Returns false for names of members, which the checker could only resolve by the types of their objects. */
function isVariable({ ts }: EvaluateContext, node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  return !(ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent) || ts.isTypeElement(parent));
}

/** Returns true for `metricsRegistry` of opsdk, also under another name. */
function isMetricsRegistry(context: EvaluateContext, expression: ts.Expression): boolean {
  const node = withoutTypeSyntax(context, expression);
  let symbol = symbolOfName(context, node);
  const seen = new Set<ts.Symbol>();
  while (symbol !== undefined && !seen.has(symbol)) {
    seen.add(symbol);
    const declaration = symbol.valueDeclaration;
    if (declaration === undefined) return false;
    if (symbol.name === 'metricsRegistry' && isOwnSource(declaration.getSourceFile().fileName)) return true;
    if (!isConstVariable(context, declaration) || declaration.initializer === undefined) return false;
    symbol = symbolOfName(context, withoutTypeSyntax(context, declaration.initializer));
  }
  return false;
}

interface FoundClass {
  readonly name: MetricClass;
  /** True for a class of the project that extends the class of prom-client. */
  readonly isDerived: boolean;
}

/**
 * Returns the class of prom-client that an expression names: `Counter`, `prom.Counter`, a constant that is one of them, or a class that
 * extends it.
 */
function metricClassOf(
  context: EvaluateContext,
  expression: ts.Expression,
  seen: ReadonlySet<ts.Node> = new Set(),
): FoundClass | undefined {
  const { ts } = context;
  const node = withoutTypeSyntax(context, expression);
  if (seen.has(node)) return undefined;
  const next = (inner: ts.Expression): FoundClass | undefined =>
    metricClassOf(context, inner, new Set([...seen, node]));
  const baseOf = (derived: ts.ClassLikeDeclaration): FoundClass | undefined => {
    const base = derived.heritageClauses?.flatMap(({ types }) => types)[0]?.expression;
    const found = base && next(base);
    return found && { ...found, isDerived: true };
  };
  if (ts.isClassExpression(node)) return baseOf(node);
  const imported = importedFrom(context, node);
  if (imported !== undefined)
    return isMetricClass(imported) ? { name: imported, isDerived: false } : undefined;
  for (const declaration of symbolOfName(context, node)?.declarations ?? []) {
    if (isConstVariable(context, declaration))
      return declaration.initializer && next(declaration.initializer);
    if (ts.isBindingElement(declaration)) return boundClass(context, declaration);
    if (!ts.isClassDeclaration(declaration)) continue;
    const name = declaration.name?.text ?? '';
    const file = declaration.getSourceFile();
    if (isMetricClass(name) && /[\\/]prom-client[\\/]/.test(file.fileName)) return { name, isDerived: false };
    if (file.isDeclarationFile) continue;
    const found = baseOf(declaration);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the class of `const { Counter } = prom` and of `const { Counter } = await import('prom-client')`. */
function boundClass(context: EvaluateContext, element: ts.BindingElement): FoundClass | undefined {
  const { ts, checker } = context;
  const name = (element.propertyName ?? element.name).getText();
  const variable = element.parent.parent;
  if (!isMetricClass(name) || !ts.isVariableDeclaration(variable) || variable.initializer === undefined)
    return undefined;
  const owner = withoutTypeSyntax(context, variable.initializer);
  const isModule = ts.isIdentifier(owner)
    ? isFromPromClient(context, checker.getSymbolAtLocation(owner)?.declarations?.[0])
    : /^await import\(\s*(['"`])prom-client\1\s*\)$/.test(owner.getText());
  return isModule ? { name, isDerived: false } : undefined;
}

function isMetricClass(name: string): name is MetricClass {
  return Object.hasOwn(metricClasses, name);
}

/** Returns the name that an expression takes from prom-client. Works if the package is not installed, so that its symbols are unknown. */
function importedFrom(context: EvaluateContext, expression: ts.Expression): string | undefined {
  const { ts, checker } = context;
  const root = ts.isPropertyAccessExpression(expression) ? expression.expression : expression;
  if (!ts.isIdentifier(root)) return undefined;
  const declaration = checker.getSymbolAtLocation(root)?.declarations?.[0];
  if (declaration === undefined || !isFromPromClient(context, declaration)) return undefined;
  if (ts.isPropertyAccessExpression(expression)) return expression.name.text;
  return ts.isImportSpecifier(declaration) ? (declaration.propertyName ?? declaration.name).text : undefined;
}

/** Returns true for the declaration of a name in an import from prom-client. */
function isFromPromClient({ ts }: EvaluateContext, declaration: ts.Node | undefined): boolean {
  let statement = declaration;
  while (statement !== undefined && !ts.isImportDeclaration(statement)) {
    if (ts.isSourceFile(statement) || ts.isStatement(statement)) return false;
    statement = statement.parent;
  }
  const specifier = statement?.moduleSpecifier;
  return specifier !== undefined && ts.isStringLiteral(specifier) && specifier.text === 'prom-client';
}
