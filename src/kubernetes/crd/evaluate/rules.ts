import {
  fieldSchema,
  invalidValue,
  isObject,
  required,
  forbiddenValue,
  valueSchema,
  wholeObject,
  type FieldError,
  type Json,
  type JsonObject,
  type Schema,
  type ValidationRule,
} from '../../objects/index.ts';
import { usesOldSelf } from '../cel/cel-syntax.ts';
import { celTypeOf } from '../cel/cel-type.ts';
import { Correlated, formerItem } from './correlation.ts';
import { compileCel, type CelProgram, type CelVariables } from './machine.ts';
import { UnsupportedCel } from './unsupported.ts';
import { CelFault, CelOptional, celValueOf, withResourceFields, type CelValue } from './values.ts';

/** A rule that cannot be evaluated here. */
export class UnsupportedRule extends Error {
  readonly rule: string;
  /** Path of the value that the rule is about; empty for the object. */
  readonly path: string;
  /** The construct that is not supported. */
  readonly construct: string;

  constructor(rule: string, path: string, construct: string) {
    super(`${construct}, in the rule ${rule}`);
    this.name = 'UnsupportedRule';
    this.rule = rule;
    this.path = path;
    this.construct = construct;
  }
}

/** Result of the rules for an object. */
export interface RuleVerdict {
  /** Errors in the words of the API server. */
  readonly errors: readonly FieldError[];
  /** Violations of values that an update does not change. The API server sends these as warnings. */
  readonly warnings: readonly string[];
}

/** The rules of a schema, compiled. */
export interface CompiledRules {
  /**
   * Evaluates the rules for an object that fits its schema, and for an update the rules that compare it with the former object.
   * Source: apiextensions-apiserver `pkg/apiserver/schema/cel/validation.go`. The cost of rules is not limited.
   * @throws UnsupportedRule
   */
  check(object: JsonObject, before?: JsonObject): RuleVerdict;
}

interface CompiledRule {
  readonly source: ValidationRule;
  readonly program: CelProgram | UnsupportedCel;
  readonly message: CelProgram | UnsupportedCel | undefined;
  readonly usesOldSelf: boolean;
  /** `fieldPath` as errors show it, such as `spec.names[key]`. */
  readonly fieldPath: string;
}

/** Rules of a value, and of the values inside of it. */
interface Node {
  readonly schema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly items: Node | undefined;
  readonly values: Node | undefined;
  readonly properties: ReadonlyMap<string, Node>;
  readonly allOf: readonly Node[];
}

/**
 * Compiles the rules of a CRD's schema.
 * @returns undefined if the schema has no rules
 */
export function compileRules(schema: Schema): CompiledRules | undefined {
  const root = nodeOf(schema, schema, true);
  if (root === undefined) return undefined;
  return {
    check(object, before) {
      const walk = new Walk();
      const correlation =
        before === undefined ? {} : { current: new Correlated(object, before, withResourceFields(schema)) };
      walk.value(root, '', object, before, correlation);
      return walk;
    },
  };
}

/** @param rules schema with the rules; a schema in `allOf` has rules for the values of the schema around it */
function nodeOf(rules: Schema, schema: Schema, isResource: boolean): Node | undefined {
  const isEmbedded = (of: Schema): boolean => of['x-kubernetes-embedded-resource'] === true;
  // Rules do not see values without a type.
  const inside = (part: Schema | undefined, of: Schema | undefined): Node | undefined =>
    part === undefined || of === undefined || celTypeOf({ ...of }) === undefined
      ? undefined
      : nodeOf(part, of, isEmbedded(of));
  const whole = isResource ? withResourceFields(schema) : schema;
  const properties = new Map<string, Node>();
  for (const [name, part] of Object.entries(rules.properties ?? {})) {
    const node = inside(part, fieldSchema(schema, name));
    if (node !== undefined) properties.set(name, node);
  }
  const node: Node = {
    schema: whole,
    rules: (rules['x-kubernetes-validations'] ?? [])
      .filter(({ rule }) => rule.trim() !== '')
      .map((rule) => compiledRule(rule, schema)),
    items: inside(rules.items, schema.items),
    values: inside(valueSchema(rules), valueSchema(schema)),
    properties,
    allOf: (rules.allOf ?? []).flatMap((part) => nodeOf(part as Schema, schema, isResource) ?? []),
  };
  const isEmpty = node.rules.length + node.properties.size + node.allOf.length === 0;
  return isEmpty && node.items === undefined && node.values === undefined ? undefined : node;
}

function compiledRule(source: ValidationRule, schema: Schema): CompiledRule {
  const { rule, messageExpression = '', fieldPath = '' } = source;
  return {
    source,
    program: compiled(rule),
    message: messageExpression === '' ? undefined : compiled(messageExpression),
    usesOldSelf: usesOldSelf(rule),
    fieldPath: shownPath(fieldPath, schema),
  };
}

function compiled(expression: string): CelProgram | UnsupportedCel {
  try {
    return compileCel(expression);
  } catch (error) {
    if (error instanceof UnsupportedCel) return error;
    throw error;
  }
}

const escapedCharacters: Readonly<Record<string, string>> = {
  ...{ a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

/** Returns a `fieldPath` such as `.names['key']` as errors show it. Source: validation.go `ValidFieldPath`. */
function shownPath(fieldPath: string, schema: Schema): string {
  let at: Schema | undefined = schema;
  let shown = '';
  for (const [, name, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:\\.|[^'\\])*)'\]/g)) {
    const step: string =
      name ?? (quoted ?? '').replace(/\\(.)/g, (_, sign: string) => escapedCharacters[sign] ?? sign);
    const isField: boolean = at?.properties !== undefined;
    shown += isField ? `${shown === '' ? '' : '.'}${step}` : `[${step}]`;
    at = at === undefined ? undefined : isField ? fieldSchema(at, step) : valueSchema(at);
  }
  return shown;
}

interface Correlation {
  /** The value and its former value; undefined if it has none. */
  readonly current?: Correlated | undefined;
  /** The nearest value around it that has a former value. */
  readonly nearest?: Correlated | undefined;
}

const inField = ({ current, nearest }: Correlation, name: string): Correlation => {
  if (current === undefined) return { nearest };
  // The API server converts both objects to one version, so a change of these fields is not visible.
  if (nearest === undefined && (name === 'apiVersion' || name === 'kind')) return {};
  return { current: current.field(name), nearest: current };
};

const inItem = ({ current, nearest }: Correlation, index: number): Correlation =>
  current === undefined ? { nearest } : { current: current.item(index), nearest: current };

class Walk implements RuleVerdict {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];

  value(node: Node, path: string, value: Json, before: Json | undefined, correlation: Correlation): void {
    if (value === null) return;
    this.#rules(node, path, value, before ?? undefined, correlation);
    for (const part of node.allOf) this.value(part, path, value, before, { nearest: correlation.nearest });
    if (Array.isArray(value)) {
      const { items, schema } = node;
      if (items === undefined) return;
      for (const [index, item] of value.entries())
        this.value(
          items,
          `${path}[${index}]`,
          item,
          formerItem(schema, before, item),
          inItem(correlation, index),
        );
    } else if (isObject(value)) this.#fields(node, path, value, before, correlation);
  }

  #fields(
    node: Node,
    path: string,
    value: JsonObject,
    before: Json | undefined,
    correlation: Correlation,
  ): void {
    const old = isObject(before) ? before : {};
    for (const [name, field] of Object.entries(value)) {
      const property = node.properties.get(name);
      const inside = inField(correlation, name);
      if (node.values !== undefined) this.value(node.values, `${path}[${name}]`, field, old[name], inside);
      if (property !== undefined)
        this.value(property, path === '' ? name : `${path}.${name}`, field, old[name], inside);
    }
  }

  #rules(node: Node, path: string, value: Json, before: Json | undefined, correlation: Correlation): void {
    if (node.rules.length === 0) return;
    const { schema } = node;
    const self = celValueOf(value, schema);
    const old = before === undefined ? undefined : celValueOf(before, schema);
    const field = path === '' ? wholeObject : path;
    const invalid = (detail: string): void =>
      void this.errors.push(invalidValue(field, schema.type ?? '', detail));
    for (const rule of node.rules) {
      const { source, program } = rule;
      const isOptional = source.optionalOldSelf === true;
      if (rule.usesOldSelf && old === undefined && !isOptional) continue;
      const variables: CelVariables = {
        self,
        oldSelf: isOptional ? new CelOptional(old) : (old ?? null),
      };
      const result = outcome(program, variables, source.rule, path);
      if (result === true) continue;
      if (result instanceof CelFault) {
        const isOverload = result.message.startsWith('no such overload');
        invalid(
          isOverload
            ? `'${result.message}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(source)}`
            : `${result.message} evaluating rule: ${ruleText(source)}`,
        );
        continue;
      }
      // The message sees the value of before itself, not as an optional.
      const message = this.#message(rule, { self, oldSelf: old ?? null }, path);
      const error = errorOf(source, pathWith(path, rule.fieldPath), valueShown(value, schema), message);
      const unchanged = correlation.current ?? correlation.nearest;
      if (!rule.usesOldSelf && unchanged?.isUnchanged === true)
        this.warnings.push(`${error.field}: ${error.body}`);
      else this.errors.push(error);
    }
  }

  #message({ source, message }: CompiledRule, variables: CelVariables, path: string): string {
    if (message !== undefined) {
      const result = outcome(message, variables, source.messageExpression ?? '', path);
      const text = typeof result === 'string' ? result.trim() : '';
      if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= mostMessage) return text;
    }
    const { message: plain = '' } = source;
    return plain === '' ? `failed rule: ${ruleText(source)}` : plain.trim();
  }
}

/** Longest text of a `messageExpression`, in bytes. Source: apiserver `pkg/apis/cel/config.go`. */
const mostMessage = 5 * 1024;

/** Runs an expression. @throws UnsupportedRule */
function outcome(
  program: CelProgram | UnsupportedCel,
  variables: CelVariables,
  expression: string,
  path: string,
): CelValue {
  if (program instanceof UnsupportedCel) throw new UnsupportedRule(expression, path, program.message);
  try {
    return program(variables);
  } catch (error) {
    if (error instanceof CelFault) return error;
    if (error instanceof UnsupportedCel) throw new UnsupportedRule(expression, path, error.message);
    throw error;
  }
}

function ruleText({ message = '', rule }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function pathWith(path: string, fieldPath: string): string {
  if (fieldPath === '') return path === '' ? wholeObject : path;
  return path === '' ? fieldPath : `${path}.${fieldPath}`;
}

/** Returns the value that an error shows; undefined for objects and lists, which it does not show. */
function valueShown(value: Json, { type }: Schema): Json | undefined {
  return type === 'object' || type === 'array' ? undefined : value;
}

function errorOf(
  { reason }: ValidationRule,
  field: string,
  value: Json | undefined,
  detail: string,
): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbiddenValue(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate': {
      const { body } = invalidValue(field, value ?? '', '');
      return {
        type: reason,
        field,
        body: value === undefined ? 'Duplicate value' : body.replace('Invalid', 'Duplicate'),
      };
    }
    case undefined:
    default:
      return value === undefined
        ? { type: 'FieldValueInvalid', field, body: `Invalid value: ${detail}` }
        : invalidValue(field, value, detail);
  }
}
