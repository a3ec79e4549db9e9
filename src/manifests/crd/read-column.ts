import type { FindingList } from '../../errors/index.ts';
import type { Evaluated } from '../../schema/index.ts';
import { invalidDeclaration, readObject, readScalar } from '../read-value.ts';
import type { ColumnDeclaration } from './kind-version.ts';

/** Reads one printer column. */
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
  if (name === undefined || type === undefined || jsonPath === undefined) return undefined;
  return {
    name: name.value,
    type: type.value,
    jsonPath,
    ...(description === undefined ? {} : { description: description.value }),
    ...(format === undefined ? {} : { format: format.value }),
    ...(priority === undefined ? {} : { priority: priority.value }),
    parts: new Map([...fields].map(([field, { value: own }]) => [field, own.place])),
    place: value.place,
  };
}
