import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { isObject, schemaErrors, type Json, type Schema } from '../../../../src/kubernetes/objects/index.ts';
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

/** Finds the schemas with rules, and how often a rule was seen before. */
function schemasWithRules(value: unknown, found: Map<string, Schema>): void {
  if (Array.isArray(value)) for (const item of value) schemasWithRules(item, found);
  if (!isObject(value as Json)) return;
  const schema = value as Schema & Record<string, unknown>;
  const rules = schema['x-kubernetes-validations'];
  if (Array.isArray(rules)) {
    const key = JSON.stringify(rules.map(({ rule }) => rule));
    // A rule of a resource's root needs its metadata, which the field of a case does not have.
    if (!found.has(key) && schema.properties?.['metadata'] === undefined) found.set(key, schema);
  }
  for (const inner of Object.values(schema)) schemasWithRules(inner, found);
}

/** Cases of the rules of real definitions, with values that are generated from their schemas. */
export function sharedRules(valuesPerRule: number): readonly RuleCase[] {
  const found = new Map<string, Schema>();
  for (const file of yamlFiles()) {
    const text = readFileSync(file, 'utf8');
    if (!text.includes('x-kubernetes-validations')) continue;
    for (const { value } of parseKubernetesYaml(text, file)) schemasWithRules(value, found);
  }
  return [...found].map(([name, schema], seed) => {
    const sample = fc.sample(valueArbitrary(fc, schema), { numRuns: valuesPerRule * 3, seed });
    const unique = [...new Set(sample.map((value) => JSON.stringify(value)))].map(
      (text) => JSON.parse(text) as Json,
    );
    const values = unique.filter((value) => value !== null && schemaErrors(value, schema, '').length === 0);
    const some = values.slice(0, valuesPerRule);
    const updates = name.includes('oldSelf')
      ? some.slice(1).map((value, index) => [some[index] ?? value, value] as const)
      : [];
    return { name, schema, values: some, updates };
  });
}
