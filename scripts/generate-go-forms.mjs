// Makes src/kubernetes/tables/generated/go-forms.ts from the Go types of Kubernetes' API, whose JSON the OpenAPI documents do not describe:
// which fields are pointers, and which are written although they are empty.
//
//   node scripts/generate-go-forms.mjs API_DIR APIMACHINERY_DIR     the folders of the modules k8s.io/api and k8s.io/apimachinery
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prefixes } from '../dist/kubernetes/tables/generated/names.js';
import { schemas } from '../dist/kubernetes/tables/generated/schemas.js';

const [api, machinery] = process.argv.slice(2);
if (api === undefined || machinery === undefined) throw new Error('give API_DIR and APIMACHINERY_DIR');

/** Structs and other types of a package. */
function parsePackage(files) {
  const structs = new Map();
  const others = new Map();
  for (const file of files.filter(existsSync)) {
    const text = readFileSync(file, 'utf8');
    for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
      const lines = body.split('\n').map((line) => line.trim());
      structs.set(name, lines.flatMap(fieldOf));
    }
    for (const [, name, type] of text.matchAll(/^type (\w+) (?!struct|interface)(\S+)/gm))
      others.set(name, type);
  }
  return { structs, others };
}

function fieldOf(line) {
  if (line.startsWith('//')) return [];
  const found = /^(?:(\w+)\s+)?([\w.*[\]]+)\s+`[^`]*json:"([^"]*)"/.exec(line);
  if (found === null) return [];
  const [, , type, tag] = found;
  const [name, ...options] = tag.split(',');
  if (name === '-') return [];
  return [
    {
      type,
      name,
      inline: options.includes('inline') || name === '',
      omits: options.includes('omitempty'),
      omitsZero: options.includes('omitzero'),
    },
  ];
}

const scalars = new Set([
  'string',
  'bool',
  'int',
  'int32',
  'int64',
  'float64',
  'uint32',
  'uint64',
  'types.UID',
  'types.NodeName',
]);
const packages = new Map();
function packageAt(file) {
  if (!packages.has(file)) {
    const dir = file === 'meta/v1' ? join(machinery, 'pkg/apis/meta/v1') : join(api, file);
    const names = ['types.go', 'objectreference.go', 'duration.go'];
    packages.set(file, parsePackage(names.map((name) => join(dir, name))));
  }
  return packages.get(file);
}

/** `scalar`, `list` (or map), `struct`, `time`. */
function sortOf(type, own) {
  if (type.startsWith('[]') || type.startsWith('map[')) return 'list';
  if (scalars.has(type)) return 'scalar';
  if (/(^|\.)(Time|MicroTime)$/.test(type)) return 'time';
  if (/(^|\.)Quantity$/.test(type)) return 'quantity';
  if (/IntOrString$/.test(type)) return 'intOrString';
  const alias = /^(\w+)\.(\w+)$/.exec(type);
  const files = { v1: 'core/v1', corev1: 'core/v1', metav1: 'meta/v1', rbac: 'rbac/v1' };
  const found = alias === null ? own : files[alias[1]] === undefined ? undefined : packageAt(files[alias[1]]);
  const name = alias === null ? type : alias[2];
  if (found === undefined) return name === 'RawExtension' ? 'struct' : 'scalar';
  if (found.structs.has(name)) return 'struct';
  const other = found.others.get(name);
  return other === undefined ? 'struct' : sortOf(other, found);
}

function formOf({ type, omits, omitsZero }, own) {
  if (type.startsWith('*')) return omits || omitsZero ? 'pointer' : 'nullable';
  const sort = sortOf(type, own);
  if (sort === 'list') return omits || omitsZero ? 'list' : 'nullable';
  if (sort === 'scalar') return omits || omitsZero ? 'scalar' : 'kept';
  if (omitsZero) return 'omitted';
  return { struct: 'struct', time: 'nullable', quantity: 'quantity', intOrString: 'number' }[sort];
}

function fieldsOf(name, own) {
  return (own.structs.get(name) ?? []).flatMap((field) => {
    if (!field.inline) return [[field.name, formOf(field, own)]];
    const [alias, inner = alias] = field.type.split('.');
    return field.type.includes('.')
      ? alias === 'v1'
        ? fieldsOf(inner, packageAt('core/v1'))
        : []
      : fieldsOf(field.type, own);
  });
}

/** The form of a field that the table leaves out. */
function usual(schema) {
  if (schema === undefined) return undefined;
  if (schema.type === 'array' || (schema.type === 'object' && schema.additionalProperties !== undefined))
    return 'list';
  return schema.$ref !== undefined || schema.type === 'object' ? 'pointer' : 'scalar';
}

const forms = {};
for (const [file, prefix] of Object.entries(prefixes)) {
  for (const name of Object.keys(schemas)) {
    if (!name.startsWith(prefix)) continue;
    const own = packageAt(file);
    const properties = JSON.parse(schemas[name]).properties ?? {};
    const unusual = {};
    for (const [field, form] of fieldsOf(name.slice(prefix.length), own))
      if (properties[field] !== undefined && form !== usual(properties[field]) && field !== 'metadata')
        (unusual[form] ??= []).push(field);
    if (Object.keys(unusual).length > 0)
      forms[name] = Object.entries(unusual)
        .map(([form, fields]) => `${form}:${fields.join(',')}`)
        .join(' ');
  }
}
const lines = Object.entries(forms).map(([name, text]) => `  '${name}': '${text}',`);
writeFileSync(
  new URL('../src/kubernetes/tables/generated/go-forms.ts', import.meta.url),
  `// Made by scripts/generate-go-forms.mjs from the Go types of Kubernetes' API. Do not edit.

/** Fields whose JSON is not the usual one, by type: \`form:field,field form:field\`. The function \`goFormOf\` explains the forms. */
export const goForms: Readonly<Record<string, string>> = {
${lines.join('\n')}
};
`,
);
console.log(`${lines.length} types`);
