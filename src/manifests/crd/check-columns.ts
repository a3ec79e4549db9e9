import type { Finding, FindingList } from '../../errors/index.ts';
import type { JSONSchemaProps } from '../../schema/index.ts';
import { followSteps } from './follow-path.ts';
import { parseJsonPath } from './json-path.ts';
import type { ColumnDeclaration, KindWithSchema } from './kind-version.ts';

/**
 * Checks the printer columns of a version against its schema.
 * @returns warnings: columns that lead to no field, that have not the type of their field, or the name of another column. The API server accepts them and shows nothing.
 */
export function checkColumns(findings: FindingList, kind: KindWithSchema): readonly Finding[] {
  const named = new Set<string>();
  return kind.columns.flatMap((column) => {
    const { value: path, place } = column.jsonPath;
    if (!path.startsWith('.')) {
      findings.add({
        code: 'manifests/invalid-printer-column',
        message: `the path ${JSON.stringify(path)} of the printer column '${column.name}' is not valid: it does not start with a dot`,
        where: place,
        fix: ['name a field of the interface, such as .spec.replicas'],
      });
      return [];
    }
    const repeated = named.has(column.name) ? repeatedName(column) : [];
    named.add(column.name);
    const steps = parseJsonPath(path);
    const reached = typeof steps === 'string' ? steps : followSteps(kind.schema, steps);
    return [
      ...repeated,
      ...(typeof reached === 'string' ? lost(column, reached) : typeWarning(column, reached)),
    ];
  });
}

function lost(column: ColumnDeclaration, problem: string): readonly Finding[] {
  return [
    {
      code: 'manifests/printer-column-path',
      message: `the printer column '${column.name}' will be empty: ${problem}`,
      where: column.jsonPath.place,
      fix: ['name a field of the interface, such as .spec.replicas'],
    },
  ];
}

function repeatedName({ name, place }: ColumnDeclaration): readonly Finding[] {
  return [
    {
      code: 'manifests/repeated-column',
      message: `there are two printer columns named '${name}'`,
      where: place,
      fix: ['remove one of them, or give it another name'],
    },
  ];
}

function typeWarning(column: ColumnDeclaration, field: JSONSchemaProps): readonly Finding[] {
  const { type } = field;
  // Without a type nothing is known; as a string kubectl prints anything; other types are refused.
  if (type === undefined || !['integer', 'number', 'boolean', 'date'].includes(column.type)) return [];
  const fits =
    column.type === type ||
    (column.type === 'number' && type === 'integer') ||
    (column.type === 'date' && type === 'string');
  if (fits) return [];
  return [
    {
      code: 'manifests/printer-column-type',
      message: `the printer column '${column.name}' has type ${column.type}, but ${column.jsonPath.value} is of type ${type}: kubectl will not show it`,
      where: column.place,
      fix: [`write \`type: '${['integer', 'number', 'boolean'].includes(type) ? type : 'string'}'\``],
    },
  ];
}
