import { formatWhere, OpSdkError, type FindingList } from '../../../base/errors/index.ts';
import { idOf, type Resource, allIdsOf, describeId, effectiveNamespace } from '../resource.ts';
import { limits } from '../load/build-files.ts';
import { FieldPathError, parseFieldPath } from '../replacements/find-slots.ts';
import { isObject, type Json } from '../../objects/index.ts';
import { setOwnField } from '../../../base/util/json-map.ts';
import {
  describe,
  ShapeError,
  visitFields,
  type FieldSpec,
  type Slot,
  reportShape,
} from '../transform/field-spec.ts';
import type { Variable } from './variables.ts';

/**
 * Records for each variable the resource from which it takes its value. The resource is found by its present or a former name in this
 * kustomization. Source: kustomize `api/internal/accumulator/resaccumulator.go`, MergeVars.
 */
export function bindVariables(
  resources: readonly Resource[],
  variables: readonly Variable[],
  findings: FindingList,
): void {
  for (const variable of variables) {
    const meant = resources.filter((resource) =>
      allIdsOf(resource).some(
        (id) =>
          id.group === variable.group &&
          id.version === variable.version &&
          id.kind === variable.kind &&
          id.name === variable.object &&
          (variable.namespace === '' || effectiveNamespace(id) === variable.namespace),
      ),
    );
    const [first, second] = meant;
    if (second === undefined) first?.variables.push(variable.name);
    else
      findings.add({
        code: 'kustomize/ambiguous-reference',
        message: `expected one resource for the variable ${variable.name}, but several match: ${meant.map(({ where }) => formatWhere(where)).join(', ')}`,
        where: variable.where,
        fix: ['add the namespace to the objref of the variable'],
      });
  }
}

/** Adds variables to the variables of a build. Two variables with the same name are refused. */
export function addVariables(
  known: Map<string, Variable>,
  more: Iterable<Variable>,
  findings: FindingList,
): void {
  for (const variable of more) {
    const first = known.get(variable.name);
    if (first === undefined) known.set(variable.name, variable);
    else
      findings.add({
        code: 'kustomize/invalid-value',
        message: `the variable ${variable.name} is defined twice; the other definition is at ${formatWhere(first.where)}`,
        where: variable.where,
        fix: ['give one of them another name'],
      });
  }
}

/** Replaces variables by their values in the fields that the specs select. */
export function resolveVariables(
  resources: readonly Resource[],
  variables: Iterable<Variable>,
  specs: readonly FieldSpec[],
  findings: FindingList,
): void {
  const values = new Map<string, Json>();
  for (const variable of variables) {
    const value = readValue(resources, variable, findings);
    if (value !== undefined) values.set(variable.name, value);
  }
  if (values.size === 0) return;
  let length = 0;
  const spendIn =
    (resource: Resource) =>
    (more: number): void => {
      length += more;
      if (length <= limits.generatedBytes) return;
      throw new OpSdkError({
        code: 'kustomize/too-large',
        message: `variables put more than ${limits.generatedBytes} characters into fields`,
        where: resource.where,
        fix: ['use shorter values'],
      });
    };
  for (const resource of resources) {
    for (const spec of specs) {
      reportShape(resource, 'a variable', findings, () =>
        visitFields(resource, spec, undefined, (slot) => expandSlot(slot, spec, values, spendIn(resource))),
      );
    }
    refuseUnresolved(resource, values, findings);
  }
}

/**
 * Refuses labels in which variables remain unresolved. In kustomize, labels that a rule sets in several fields share one value. If a
 * variable is resolved in one of these fields, all of them change. op-sdk would leave the variable in those fields that are not in the list
 * of fields with variables.
 */
function refuseUnresolved(
  resource: Resource,
  values: ReadonlyMap<string, Json>,
  findings: FindingList,
): void {
  for (const { path, key, text } of resource.dollars) {
    reportShape(resource, 'a variable', findings, () =>
      visitFields(resource, { path }, undefined, (slot) => {
        const pairs = slot.get();
        if (!isObject(pairs) || !Object.hasOwn(pairs, key) || pairs[key] !== text) return;
        if (expandText(text, path, values, () => undefined) === text) return;
        findings.add({
          code: 'kustomize/replacement-failed',
          message: `${describeId(idOf(resource))}: op-sdk does not resolve the variable in ${key}: ${text} of ${path.replaceAll('/', '.')}`,
          where: resource.where,
          fix: ['write the value itself, or set it with `replacements`'],
        });
      }),
    );
  }
}

function readValue(
  resources: readonly Resource[],
  variable: Variable,
  findings: FindingList,
): Json | undefined {
  const { name, fieldPath, where } = variable;
  const refuse = (message: string, fix: string): undefined => {
    findings.add({ code: 'kustomize/replacement-failed', message, where, fix: [fix] });
  };
  const source = resources.find(({ variables }) => variables.includes(name));
  if (source === undefined)
    return refuse(
      `the variable ${name} refers to ${variable.kind} ${variable.object}, which is not among the resources`,
      'correct its objref: apiVersion, kind, name and namespace',
    );
  const value = fieldOf(source.object, fieldPath);
  if (value === undefined)
    return refuse(
      `the variable ${name} refers to the field ${fieldPath}, which does not exist`,
      'correct its fieldref',
    );
  if (
    value === null ||
    (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
  )
    return refuse(
      `the variable ${name}: expected a field with text, got ${describe(value)}`,
      'put the value into quotes',
    );
  return value;
}

function fieldOf(object: Json, fieldPath: string): Json | undefined {
  try {
    const steps = parseFieldPath(fieldPath.replace(/\[(\d+)\](?=\.|$)/g, '.$1'));
    return steps.reduce<Json | undefined>((value, step) => {
      if (step.kind === 'field')
        return isObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
      if (!Array.isArray(value) || step.kind === 'every') return undefined;
      if (step.kind === 'index') return value[step.index];
      return value.find((item) => (isObject(item) ? item[step.field] : item) === step.text);
    }, object);
  } catch (error) {
    if (!(error instanceof FieldPathError)) throw error;
    return undefined;
  }
}

function expandSlot(
  slot: Slot,
  { path }: FieldSpec,
  values: ReadonlyMap<string, Json>,
  spend: (length: number) => void,
): void {
  const changed = (text: string): Json => expandText(text, path, values, spend);
  const value = slot.get();
  if (typeof value === 'string') slot.set(changed(value));
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (typeof item !== 'string')
        throw new ShapeError(path, `expected text as item, got ${describe(item)}`);
      value[index] = changed(item);
    }
  } else if (isObject(value)) {
    for (const [key, field] of Object.entries(value))
      if (typeof field === 'string') setOwnField(value, key, changed(field));
  }
}

function expandText(
  text: string,
  path: string,
  values: ReadonlyMap<string, Json>,
  spend: (length: number) => void,
): Json {
  try {
    return expand(text, values, spend);
  } catch (error) {
    if (error instanceof ExpandError) throw new ShapeError(path, error.message);
    throw error;
  }
}

/** Thrown for a text whose variables kustomize would replace differently. */
class ExpandError extends Error {}

/**
 * Replaces `$(NAME)` in a text by values; `$$` becomes a dollar sign. If the text consists only of `$(NAME)`, the result has the type of
 * the value. Source: kustomize `api/filters/refvar/expand.go`.
 *
 * @param spend called with the length of each value that is inserted into a text; may throw
 * @throws ExpandError if kustomize would expand the text differently
 */
export function expand(
  text: string,
  values: ReadonlyMap<string, Json>,
  spend: (length: number) => void,
): Json {
  const whole = /^\$\(([^)]*)\)$/s.exec(text)?.[1];
  if (whole !== undefined) return valueOf(whole, values) ?? text;
  return text.replace(
    /\$(?:\(([^)]*)\)|(.))/gsu,
    (found, name: string | undefined, next: string | undefined) => {
      if (name !== undefined) {
        const value = textOf(valueOf(name, values) ?? found);
        spend(value.length);
        return value;
      }
      if (next === '$') return '$';
      // kustomize takes only the first byte of a character outside of ASCII, which breaks the character.
      if (next !== undefined && next > '\u007f')
        throw new ExpandError(
          'a $ is followed by a character that is not ASCII, which kustomize would corrupt',
        );
      return found;
    },
  );
}

function valueOf(name: string, values: ReadonlyMap<string, Json>): string | number | boolean | undefined {
  const value = values.get(name);
  return typeof value === 'object' ? undefined : value;
}

function textOf(value: string | number | boolean): string {
  if (typeof value === 'number' && isWrittenOtherwise(value))
    throw new ExpandError(
      `kustomize would write the number ${Object.is(value, -0) ? '-0' : value} in another form than op-sdk`,
    );
  return String(value);
}

/**
 * Returns true if Go's `%v` may format a number differently from JavaScript. Go writes very small and very large fractions with an
 * exponent, and keeps the sign of zero.
 */
function isWrittenOtherwise(value: number): boolean {
  if (Number.isInteger(value)) return Object.is(value, -0);
  const size = Math.abs(value);
  return size < 1e-4 || size >= 1e6;
}
