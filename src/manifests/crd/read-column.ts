import type { FindingList } from '../../errors/index.ts';
import type { Evaluated } from '../../schema/index.ts';
import { closestName } from '../../util/closest-name.ts';
import { invalidDeclaration, readObject, readScalar } from '../read-value.ts';
import type { ColumnDeclaration } from './kind-version.ts';

/** Source: apiextensions `printerColumnDatatypes`. */
const types = ['integer', 'number', 'string', 'boolean', 'date'];
/** Source: apiextensions `customResourceColumnDefinitionFormats`. */
const formats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

/** Reads one printer column and checks what can be checked without the schema. */
export function readColumn(findings: FindingList, value: Evaluated): ColumnDeclaration | undefined {
  const what = 'a printer column';
  const fields = readObject(findings, value, what, [
    'name',
    'type',
    'jsonPath',
    'description',
    'format',
    'priority',
  ]);
  if (fields === undefined) return undefined;
  const string = (name: string) => readScalar(findings, fields.get(name), `\`${name}\` of ${what}`, 'string');
  const [name, type, jsonPath, description, format] = [
    string('name'),
    string('type'),
    string('jsonPath'),
    string('description'),
    string('format'),
  ];
  const priority = readScalar(findings, fields.get('priority'), `\`priority\` of ${what}`, 'number');
  for (const needed of ['name', 'type', 'jsonPath']) {
    if (!fields.has(needed))
      findings.add(invalidDeclaration(`${what} lacks \`${needed}\``, value.place, `add \`${needed}: '…'\``));
  }
  const oneOf = (field: typeof type, allowed: readonly string[], noun: string): void => {
    if (field === undefined || allowed.includes(field.value)) return;
    const closest = closestName(field.value, allowed);
    findings.add({
      code: 'manifests/invalid-printer-column',
      message: `the ${noun} '${field.value}' of ${what} is not one of ${allowed.join(', ')}`,
      where: field.place,
      fix: [closest === undefined ? `write one of ${allowed.join(', ')}` : `did you mean '${closest}'?`],
    });
  };
  oneOf(type, types, 'type');
  // An empty format is none.
  if (format?.value !== '') oneOf(format, formats, 'format');
  if (name?.value === '')
    findings.add({
      code: 'manifests/invalid-printer-column',
      message: `${what} has an empty name`,
      where: name.place,
      fix: ['write the heading of the column'],
    });
  // The API has it as an int32.
  if (priority !== undefined && (priority.value | 0) !== priority.value) {
    findings.add({
      code: 'manifests/invalid-printer-column',
      message: `the priority ${priority.value} of ${what} is not a 32-bit integer`,
      where: priority.place,
      fix: ['write 0, or 1 for a column that only `-o wide` shows'],
    });
  }
  if (name === undefined || type === undefined || jsonPath === undefined) return undefined;
  return {
    name: name.value,
    type: type.value,
    jsonPath,
    ...(description === undefined ? {} : { description: description.value }),
    ...(format === undefined ? {} : { format: format.value }),
    ...(priority === undefined ? {} : { priority: priority.value }),
    place: value.place,
  };
}
