import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import {
  isObject,
  patternProblem,
  schemaErrors,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../src/kubernetes/objects/index.ts';
import { parseKubernetesYaml } from '../../../../src/kubernetes/yaml/index.ts';
import { valueArbitrary } from '../../../../src/testing/round-trip/value-arbitrary.ts';
import type { RuleCase } from './compare.ts';

export const data = join(import.meta.dirname, '../../../../../shared/data');
export const isThere = existsSync(data);

function yamlFiles(): readonly string[] {
  return readdirSync(data, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => join(data, file))
    .sort();
}

/** Collects the schemas with rules; of those with the same rules, the first. */
function schemasWithRules(value: unknown, found: Map<string, Schema>): void {
  if (Array.isArray(value)) for (const item of value) schemasWithRules(item, found);
  if (!isObject(value as Json)) return;
  const schema = value as Schema & Record<string, unknown>;
  const rules = schema['x-kubernetes-validations'];
  if (Array.isArray(rules)) {
    const key = rules.map(({ rule }) => rule).join('; ');
    // The data has a CRD whose pattern is a trap for those who quote texts. No API server takes it.
    if (!found.has(key) && !hasInvalidPattern(schema)) found.set(key, schema);
  }
  for (const inner of Object.values(schema)) schemasWithRules(inner, found);
}

function hasInvalidPattern(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInvalidPattern);
  if (!isObject(value as Json)) return false;
  const { pattern } = value as { pattern?: unknown };
  if (typeof pattern === 'string' && patternProblem(pattern) !== undefined) return true;
  return Object.values(value as object).some(hasInvalidPattern);
}

/** The schemas with rules of real definitions, by their rules. */
export function sharedSchemas(): readonly (readonly [string, Schema])[] {
  const found = new Map<string, Schema>();
  for (const file of yamlFiles()) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('x-kubernetes-validations')) continue;
    for (const { value } of parseKubernetesYaml(text, file)) schemasWithRules(value, found);
  }
  return [...found];
}

/** Returns a case of a schema's rules, with values that are generated from the schema. */
export function sharedCase([name, schema]: readonly [string, Schema], seed: number, count: number): RuleCase {
  const isRoot = schema.properties?.['apiVersion'] !== undefined && schema.properties['kind'] !== undefined;
  const sample = fc.sample(valueArbitrary(fc, schema), { numRuns: count * 2, seed });
  const fitting = sample.filter((value) => value !== null && schemaErrors(value, schema, '').length === 0);
  const unique = [...new Set(fitting.map((value) => JSON.stringify(value)))]
    .slice(0, count)
    .map((text) => JSON.parse(text) as Json);
  const values = isRoot ? unique.map((value, index) => resource(value as JsonObject, name, index)) : unique;
  const updates = name.includes('oldSelf')
    ? values.slice(1).map((value, index) => [values[index] ?? value, value] as const)
    : [];
  const placed: Schema = isRoot ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema;
  return { name: name.slice(0, 100), schema: placed, values, updates };
}

/** Makes a value of a root a resource: the rules of a root see its name, which in a field is so of an embedded resource only. */
function resource(value: JsonObject, rules: string, index: number): JsonObject {
  const [, wanted = 'other'] = /metadata\.name == '([^']+)'/.exec(rules) ?? [];
  return { ...value, apiVersion: 'v1', kind: 'Any', metadata: { name: index % 2 === 0 ? wanted : 'other' } };
}
