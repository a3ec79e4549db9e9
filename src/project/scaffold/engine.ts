import Handlebars from 'handlebars';
import { withArticle, escapeHtml } from '../../base/util/words.ts';
import { isAmbiguousPlain, yamlEntry, toYaml } from '../../kubernetes/yaml/index.ts';

/** The variables of a template, as plain JSON. Every variable that the template uses must be present. */
export type TemplateModel = { readonly [name: string]: JsonValue };
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Thrown if a template cannot be rendered because of bad syntax, an unknown variable, or a value that is not allowed in its place. */
export class TemplateError extends Error {}

/**
 * Helpers that write values into a file. Each escapes its value for the language of the file, so that no text can end the string or line
 * that contains it.
 */
const valueHelpers: Readonly<Record<string, (...values: unknown[]) => string>> = {
  /**
   * Writes a YAML value. Scalars are written on one line, quoted if necessary; maps and lists are written as several lines and are allowed
   * only at the left margin.
   */
  yaml: (value) =>
    // Remove only the line break that `toYaml` adds, because further line breaks at the end belong to the value.
    typeof value === 'object' && value !== null
      ? toYaml(value).slice(0, -1)
      : yamlScalar(scalar('yaml', value)),
  /**
   * Writes an entry of a YAML map or list, including its label, in the format of {@link renderMachineDocument}: `{{entry "  names:"
   * spec.names}}`.
   */
  entry: (label, value) => yamlEntry(text('entry', label), defined('entry', value)),
  json: (value) => json(value),
  /** Writes a JSON document, indented by two spaces. */
  jsonDocument: (value) => JSON.stringify(JSON.parse(json(value)), null, 2),
  /** Writes a TypeScript string literal in single quotes. */
  tsString: (value) => tsString(text('tsString', value)),
  /**
   * Writes an item of a TypeScript array: an object whose values are lists of strings, formatted as Prettier does in scaffolded projects.
   */
  tsLists: (indent, value) => tsLists(text('tsLists', indent), defined('tsLists', value)),
  /** Writes a TypeScript identifier; refuses other text. */
  identifier: (value) => matching('identifier', /^[A-Za-z_$][\w$]*$/, value),
  /** Writes an identifier with its article: `an EtcdCluster`. */
  article: (value) => withArticle(matching('article', /^[A-Za-z_$][\w$]*$/, value)),
  /** Writes a DNS name inside a longer word, `{{dns name}}-system`; refuses other text. */
  dns: (value) => matching('dns', /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/, value),
  /** Writes a path or word without blanks and quotes, such as the file names of op-sdk, or the folder `.`; refuses other text. */
  word: (value) => matching('word', /^(?:\.|\w[\w./@+:-]*)$/, value),
  /**
   * Writes several words, each in the form that `word` accepts, separated by single blanks, such as a command that needs no shell quoting.
   */
  words: (value) => matching('words', /^[\w][\w./@+-]*(?: [\w@-][\w./@+-]*)*$/, value),
  /** Writes lines that each begin with a comment marker: `{{comment "//" header}}`. */
  comment: (sign, value) => comment(text('comment', sign), text('comment', value)),
  /** Writes unescaped text, for plain-text files. */
  plain: (value) => text('plain', value),
  /** Writes a value in a Makefile. */
  makeValue: (value) => makeValue(text('makeValue', value)),
  /** Writes the value of a LABEL in a Dockerfile. */
  dockerValue: (value) => dockerValue(text('dockerValue', value)),
  /** Writes text in a Markdown paragraph. */
  markdown: (value) => markdown(text('markdown', value)),
  /** Writes text in an element of HTML, or between the quotes of an attribute. */
  html: (value) => escapeHtml(String(scalar('html', value))),
  /**
   * Writes the address of an HTML link or picture: `http`, `https`, `mailto`, a file beside the page, or the data of a picture. Refuses
   * other addresses.
   */
  address: (value) => escapeHtml(matching('address', addresses, value)),
  /**
   * Writes HTML that comes from a template or the sanitiser. Such HTML is an object with the key `markup`. Text from other sources is never
   * such an object, so it is refused.
   */
  markup: (value) =>
    text('markup', (defined('markup', value) as { readonly markup?: unknown } | null)?.markup),
};

const addresses =
  /^(?:https?:\/\/|mailto:|data:image\/[a-z+]+;base64,[A-Za-z\d+/=]*$|(?:[\w.-]+\.html)?(?:#[\w-]+)?$)/;

const blockHelpers = ['if', 'unless', 'each', 'has', 'some'];

const engine = Handlebars.create();
for (const name of Object.keys(engine.helpers)) engine.unregisterHelper(name);
for (const [name, helper] of Object.entries(valueHelpers)) {
  engine.registerHelper(name, (...args: unknown[]) => helper(...args.slice(0, -1)));
}
engine.registerHelper('if', function (this: unknown, condition: unknown, options: Handlebars.HelperOptions) {
  return boolean('if', condition) ? options.fn(this) : options.inverse(this);
});
engine.registerHelper(
  'unless',
  function (this: unknown, condition: unknown, options: Handlebars.HelperOptions) {
    return boolean('unless', condition) ? options.inverse(this) : options.fn(this);
  },
);
engine.registerHelper('has', function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
  return value === undefined ? options.inverse(this) : options.fn(this);
});
engine.registerHelper('some', function (this: unknown, value: unknown, options: Handlebars.HelperOptions) {
  return Array.isArray(value) && value.length > 0 ? options.fn(this) : options.inverse(this);
});
engine.registerHelper('each', (items: unknown, options: Handlebars.HelperOptions) => {
  if (!Array.isArray(items)) throw new TemplateError('each: the value is not a list');
  return (items as unknown[]).map((item) => options.fn(item)).join('');
});

/** A parsed and checked template. */
export interface PreparedTemplate {
  /** The variables that the template names, see {@link variablesOf}. */
  readonly variables: readonly string[];
  /** Returns the variables that are passed to a block helper, for example to `has`. */
  variablesIn(helper: 'each' | 'has' | 'some'): ReadonlySet<string>;
  /**
   * Renders the template.
   * @throws TemplateError
   */
  render(model: TemplateModel): string;
}

/**
 * Reads a Handlebars template, so that it can be rendered several times. Unknown variables, and values written without a helper of {@link
 * valueHelpers}, are always errors.
 * @throws TemplateError
 */
export function prepareTemplate(template: string): PreparedTemplate {
  const { program, variables, compiled } = asTemplateError(() => {
    const parsed = engine.parse(template);
    const options = { strict: true, noEscape: true, knownHelpersOnly: true, knownHelpers };
    return {
      program: parsed,
      variables: checkExpressions(parsed.body),
      compiled: engine.compile(parsed, options),
    };
  });
  return {
    variables,
    variablesIn: (helper) => new Set(blockVariables(program.body, helper)),
    render: (model) =>
      asTemplateError(() => {
        for (const variable of variables) checkVariable(variable, model);
        return compiled(model, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
      }),
  };
}

const knownHelpers = Object.fromEntries(
  [...Object.keys(valueHelpers), ...blockHelpers].map((name) => [name, true]),
);

function asTemplateError<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Renders a Handlebars template once. Use {@link prepareTemplate} to render it several times.
 * @throws TemplateError
 */
export function render(template: string, model: TemplateModel): string {
  return prepareTemplate(template).render(model);
}

/**
 * Returns every variable that a template names, in the order of the text. Variables within `each` are relative to the item, such as
 * `items[].name`.
 */
export function variablesOf(template: string): readonly string[] {
  return checkExpressions(engine.parse(template).body);
}

/** Checks a variable that is passed to a helper, because Handlebars' strict mode does not check such variables. */
function checkVariable(path: string, model: unknown): void {
  let values: readonly unknown[] = [model];
  for (const step of path.split('.')) {
    const name = step.replace(/\[\]$/, '');
    values = values.map((value) => {
      if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
        return (value as Record<string, unknown>)[name];
      throw new TemplateError(`unknown variable ${path}`);
    });
    if (step.endsWith('[]')) {
      if (!values.every((value) => Array.isArray(value)))
        throw new TemplateError(`${path}: ${name} is not a list`);
      values = values.flat();
    }
  }
}

type Statement = hbs.AST.Statement;

function checkExpressions(body: readonly Statement[], scope = ''): string[] {
  return body.flatMap((statement) => {
    const { line } = statement.loc.start;
    if (statement.type === 'ContentStatement' || statement.type === 'CommentStatement') return [];
    if (statement.type === 'BlockStatement') return checkBlock(statement as hbs.AST.BlockStatement, scope);
    if (statement.type !== 'MustacheStatement')
      throw new TemplateError(`line ${line}: ${statement.type} is not allowed`);
    const { path, params, hash } = statement as hbs.AST.MustacheStatement;
    const name = (path as hbs.AST.PathExpression).original;
    if (params.length === 0 || !Object.hasOwn(valueHelpers, name) || hash !== undefined) {
      const helpers = Object.keys(valueHelpers).join(', ');
      throw new TemplateError(`line ${line}: {{${name}}} must be written by one of the helpers ${helpers}`);
    }
    return params.flatMap((param) => variable(param, scope));
  });
}

function checkBlock(
  { path, params, program, inverse, loc }: hbs.AST.BlockStatement,
  scope: string,
): string[] {
  const name = path.original;
  const [param] = params;
  if (!blockHelpers.includes(name) || params.length !== 1 || param === undefined) {
    throw new TemplateError(
      `line ${loc.start.line}: {{#${name}}} must be one of ${blockHelpers.join(', ')}, with one variable`,
    );
  }
  const subject = variable(param, scope);
  const inner = name === 'each' ? `${subject[0] ?? ''}[].` : scope;
  // Without an else branch, `inverse` is undefined, although the types of Handlebars declare it as always present.
  const otherwise = (inverse as hbs.AST.Program | undefined)?.body ?? [];
  return [...subject, ...checkExpressions(program.body, inner), ...checkExpressions(otherwise, scope)];
}

function blockVariables(body: readonly Statement[], helper: string): string[] {
  return body.flatMap((statement) => {
    if (statement.type !== 'BlockStatement') return [];
    const { path, params, program, inverse } = statement as hbs.AST.BlockStatement;
    const otherwise = (inverse as hbs.AST.Program | undefined)?.body ?? [];
    const own = path.original === helper ? params.flatMap((param) => variable(param, '')) : [];
    return [...own, ...blockVariables(program.body, helper), ...blockVariables(otherwise, helper)];
  });
}

function variable(expression: hbs.AST.Expression, scope: string): string[] {
  if (expression.type === 'StringLiteral') return [];
  if (expression.type !== 'PathExpression') {
    throw new TemplateError(
      `line ${expression.loc.start.line}: only variables and texts may be given to helpers`,
    );
  }
  const { original, depth, data } = expression as hbs.AST.PathExpression;
  if (data || depth > 1)
    throw new TemplateError(`line ${expression.loc.start.line}: ${original} is not allowed`);
  if (depth === 1) return [original.replace('../', '')];
  return [original === 'this' ? scope.replace(/\.$/, '') : scope + original];
}

function defined(helper: string, value: unknown): unknown {
  if (value !== undefined) return value;
  throw new TemplateError(`${helper}: the value is undefined`);
}

function json(value: unknown): string {
  const written = JSON.stringify(value) as string | undefined;
  if (written !== undefined) return written;
  throw new TemplateError('json: the value is undefined');
}

function scalar(helper: string, value: unknown): string | number | boolean {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new TemplateError(
    `${helper}: the value is ${value === undefined ? 'undefined' : 'not a single value'}`,
  );
}

function text(helper: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TemplateError(`${helper}: the value is ${value === undefined ? 'undefined' : 'not text'}`);
}

function boolean(helper: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new TemplateError(
    `${helper}: the value is ${value === undefined ? 'undefined' : 'neither true nor false'}`,
  );
}

function matching(helper: string, pattern: RegExp, value: unknown): string {
  const checked = text(helper, value);
  if (pattern.test(checked)) return checked;
  throw new TemplateError(`${helper}: the value ${JSON.stringify(checked)} is not allowed here`);
}

function yamlScalar(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const isPlain = /^[A-Za-z0-9][A-Za-z0-9_./+-]*$/.test(value) && !isAmbiguousPlain(value);
  return isPlain ? value : quoted(value);
}

/** Quotes text as JSON does, and escapes the line separators that JSON allows. The result is also valid in YAML and TypeScript. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function tsString(value: string): string {
  return `'${quoted(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Line width in characters that the scaffolded .prettierrc.json sets. */
const printWidth = 110;

function tsLists(indent: string, value: unknown): string {
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).map(([key, list]) => {
    if (typeof list === 'string')
      return `${indent}  ${matching('tsLists', /^[A-Za-z]+$/, key)}: ${tsString(list)},`;
    if (!Array.isArray(list)) throw new TemplateError(`tsLists: ${key} is neither a list nor text`);
    const items = list.map((item: unknown) => tsString(text('tsLists', item)));
    const label = `${indent}  ${matching('tsLists', /^[A-Za-z]+$/, key)}: [`;
    const line = `${label}${items.join(', ')}],`;
    if (line.length <= printWidth) return line;
    return [label, ...items.map((item) => `${indent}    ${item},`), `${indent}  ],`].join('\n');
  });
  return [`${indent}{`, ...entries, `${indent}},`].join('\n');
}

function comment(sign: string, value: string): string {
  if (!['//', '#'].includes(sign))
    throw new TemplateError(`comment: ${JSON.stringify(sign)} is not a sign of line comments`);
  const lines = value.replace(/\s+$/, '').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
  return lines.map((line) => `${sign} ${line}`.trimEnd()).join('\n');
}

function makeValue(value: string): string {
  if (/[\r\n]/.test(value)) throw new TemplateError('makeValue: a Makefile value cannot hold a line break');
  // A lone backslash at the end of the value would join the next line of the Makefile to this line, so it is refused.
  if (value.endsWith('\\'))
    throw new TemplateError('makeValue: a Makefile value cannot end with a backslash');
  return value.replaceAll('$', '$$$$').replaceAll('#', '\\#');
}

function dockerValue(value: string): string {
  if (/^[\w./@+:,=-]+$/.test(value)) return value;
  if (/[\r\n]/.test(value)) throw new TemplateError('dockerValue: a label cannot hold a line break');
  // In double quotes, a Dockerfile expands variables and interprets backslashes, so both are escaped.
  return `"${value.replace(/["\\$]/g, '\\$&')}"`;
}

function markdown(value: string): string {
  return value.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]()<>#|!~&]/g, '\\$&');
}
