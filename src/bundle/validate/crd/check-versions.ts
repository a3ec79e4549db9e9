import { isMap } from '../../json.ts';
import { fieldAt, listOf, mapOf, textOf } from '../fields.ts';
import { label1035Problem } from '../name-rules.ts';
import type { BundleObject, FieldPath, Report } from '../types.ts';
import type { Refuse } from './check-crds.ts';
import { checkSchema } from './check-schema.ts';
import { checkSelectableFields } from './check-selectable-fields.ts';

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date'];
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password'];

/** `spec.versions`: their names, which of them is stored, and what each of them says. */
export function checkVersions(
  crd: BundleObject,
  spec: Readonly<Record<string, unknown>>,
  refuse: Refuse,
  report: Report,
): void {
  const { versions } = spec;
  const path = ['spec', 'versions'];
  if (!Array.isArray(versions) || versions.length === 0) {
    refuse(
      Array.isArray(versions) ? path : ['spec'],
      'spec.versions is missing or empty',
      'write the versions',
    );
    return;
  }
  const list = listOf(versions).map(mapOf);
  const names = list.map(({ name }) => textOf(name));
  const stored = list.filter(({ storage }) => storage === true).length;
  if (stored !== 1) {
    const message = `${stored === 0 ? 'no version is' : `${stored} versions are`} the storage version; exactly one must be`;
    refuse(path, message, 'write storage: true in one version, storage: false in the others');
  }
  for (const [index, version] of list.entries()) {
    const at = [...path, index];
    const name = names[index] ?? '';
    const problem = label1035Problem(name);
    if (problem !== undefined)
      refuse(
        [...at, 'name'],
        `the version ${JSON.stringify(name)} is not valid: ${problem}`,
        'write v1alpha1, v1beta1 or v1',
      );
    else if (names.indexOf(name) < index)
      refuse([...at, 'name'], `the version ${name} is there twice`, 'rename or remove one of the two');
    for (const field of ['served', 'storage']) {
      if (typeof version[field] !== 'boolean')
        refuse(
          [...at, field],
          `${field} of version ${name} is neither true nor false`,
          `write ${field}: true or ${field}: false`,
        );
    }
    checkVersion(version, at, name, refuse);
    const schema = fieldAt(version, 'schema', 'openAPIV3Schema');
    const schemaPath = [...at, 'schema', 'openAPIV3Schema'];
    if (!isMap(schema)) {
      refuse(at, `the version ${name} has no schema`, 'write schema.openAPIV3Schema');
      continue;
    }
    checkSchema(schema, schemaPath, { crd, version: name, hasStatus: hasStatus(version) }, report);
    checkSelectableFields(listOf(version['selectableFields']), schema, [...at, 'selectableFields'], refuse);
  }
}

const hasStatus = (version: Readonly<Record<string, unknown>>): boolean =>
  isMap(mapOf(version['subresources'])['status']);

function checkVersion(
  version: Readonly<Record<string, unknown>>,
  at: FieldPath,
  name: string,
  refuse: Refuse,
): void {
  const { deprecated, deprecationWarning } = version;
  if (deprecationWarning !== undefined && deprecationWarning !== null) {
    const length = textOf(deprecationWarning).length;
    if (deprecated !== true)
      refuse(
        [...at, 'deprecationWarning'],
        `the version ${name} is not deprecated, but has a deprecationWarning`,
        'write deprecated: true',
      );
    else if (length === 0 || length > 256)
      refuse(
        [...at, 'deprecationWarning'],
        `the deprecationWarning has ${length} characters; 1 to 256 are allowed`,
        'correct it',
      );
  }
  checkScale(mapOf(version['subresources'])['scale'], [...at, 'subresources', 'scale'], refuse);
  for (const [index, entry] of listOf(version['additionalPrinterColumns']).entries())
    checkColumn(mapOf(entry), [...at, 'additionalPrinterColumns', index], refuse);
}

function checkScale(scale: unknown, at: FieldPath, refuse: Refuse): void {
  if (!isMap(scale)) return;
  const wanted = [
    ['specReplicasPath', ['.spec.'], true],
    ['statusReplicasPath', ['.status.'], true],
    ['labelSelectorPath', ['.spec.', '.status.'], false],
  ] as const;
  for (const [field, starts, isRequired] of wanted) {
    const path = textOf(scale[field]);
    if (path === '' ? !isRequired : starts.some((start) => path.startsWith(start))) continue;
    const message = `scale.${field} ${path === '' ? 'is missing' : `is ${JSON.stringify(path)}`}; it must begin with ${starts.join(' or ')}`;
    refuse(path === '' ? at : [...at, field], message, 'correct the path');
  }
}

function checkColumn(column: Readonly<Record<string, unknown>>, at: FieldPath, refuse: Refuse): void {
  const { name, type, format, jsonPath } = column;
  if (textOf(name) === '') refuse(at, 'a printer column has no name', 'name it');
  if (!columnTypes.includes(textOf(type))) {
    const message = `the printer column ${textOf(name)} has the type ${JSON.stringify(type ?? '')}; it must be one of ${columnTypes.join(', ')}`;
    refuse(at, message, 'correct the type');
  }
  if (textOf(format) !== '' && !columnFormats.includes(textOf(format))) {
    const message = `the printer column ${textOf(name)} has the format ${JSON.stringify(format)}; it must be one of ${columnFormats.join(', ')}`;
    refuse([...at, 'format'], message, 'correct the format');
  }
  if (!textOf(jsonPath).startsWith('.')) {
    const message = `the printer column ${textOf(name)} has the path ${JSON.stringify(jsonPath ?? '')}; it must begin with a dot`;
    refuse(at, message, 'write a jsonPath such as .status.phase');
  }
}
