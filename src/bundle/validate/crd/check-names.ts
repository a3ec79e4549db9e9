import { textOf, listOf } from '../fields.ts';
import { label1035Problem } from '../name-rules.ts';
import type { Refuse } from './check-crds.ts';

/** `spec.names`. The server fills in the singular and the list kind. */
export function checkCrdNames(names: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const path = ['spec', 'names'];
  for (const field of ['plural', 'kind', 'singular', 'listKind'] as const) {
    const value = names[field];
    const isRequired = field === 'plural' || field === 'kind';
    if (value === undefined || value === null || value === '') {
      if (isRequired) refuse(path, `spec.names.${field} is missing`, `write spec.names.${field}`);
      continue;
    }
    // Kinds may have capitals.
    const isKind = field === 'kind' || field === 'listKind';
    const problem = nameProblem(value, isKind);
    if (problem !== undefined)
      refuse(
        [...path, field],
        `spec.names.${field} ${JSON.stringify(value)} is not valid: ${problem}`,
        'correct the name',
      );
  }
  if (textOf(names['kind']) !== '' && names['kind'] === names['listKind'])
    refuse([...path, 'listKind'], 'spec.names.listKind is the kind itself', 'leave it out');
  for (const field of ['shortNames', 'categories']) {
    for (const [index, value] of listOf(names[field]).entries()) {
      const problem = nameProblem(value, false);
      if (problem === undefined) continue;
      const message = `spec.names.${field}: ${JSON.stringify(value)} is not valid: ${problem}`;
      refuse([...path, field, index], message, 'correct the name');
    }
  }
}

function nameProblem(value: unknown, mayHaveCapitals: boolean): string | undefined {
  if (typeof value !== 'string') return 'it is no text';
  return label1035Problem(mayHaveCapitals ? value.toLowerCase() : value);
}
