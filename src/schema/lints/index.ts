import type { JSONSchemaProps } from '../../crd/json-schema-props.ts';
import type { Origins } from '../origins.ts';
import type { Reporter } from '../reporter.ts';
import { boundsLint } from './bounds.ts';
import { celCostLint } from './cel-cost.ts';
import { mapLint } from './map-of-objects.ts';
import { requiredLint } from './required-undeclared.ts';
import { noEffectLint } from './no-effect.ts';
import type { LintNode } from './node.ts';
import { patternLint } from './pattern-delimiters.ts';
import { unitLint } from './unit.ts';

const lints = [boundsLint, requiredLint, unitLint, mapLint, noEffectLint, patternLint, celCostLint];

/** Advice about what the user wrote, of which the API server says nothing, or too late. What tables and tags give as a whole is not looked into. */
export function lintSchema(root: JSONSchemaProps, origins: Origins, reporter: Reporter): void {
  visit({ schema: root, name: undefined, around: [] });

  function visit(node: LintNode): void {
    const { schema } = node;
    const origin = origins.get(schema);
    if (origin === undefined) return;
    for (const lint of lints) {
      for (const { at, problem } of lint(node)) {
        const place = at === undefined ? origin : origins.get(at);
        if (place === undefined) continue;
        reporter.warn({ ...problem, message: `${place.label}: ${problem.message}` }, place.near);
      }
    }
    const around = [...node.around, schema];
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      visit({ schema: property, name, around });
    for (const inner of [schema.items, schema.additionalProperties])
      if (typeof inner === 'object') visit({ schema: inner, name: undefined, around });
  }
}
