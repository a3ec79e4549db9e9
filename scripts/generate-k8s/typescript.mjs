// The model as TypeScript: one file a group version, an interface for each type, and a token for each kind.
import { byCodePoint, folderOf, ownMetaTypes, placeOf, unionTypes, utilityTypes } from './names.mjs';

const apiFolder = '../../../api';
const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** @returns {Record<string, string>} contents by path under src */
export function typeScriptFiles(model) {
  const byFile = new Map();
  for (const [typeName, schema] of model.types) {
    if (utilityTypes.has(typeName)) continue;
    const { file, name } = placeOf(typeName);
    if (!byFile.has(file)) byFile.set(file, []);
    byFile.get(file).push({ typeName, name, schema });
  }
  const kinds = new Map(model.kinds.map((kind) => [kind.type, kind]));
  for (const kind of kinds.values()) {
    const expected = `${folderOf(kind.group)}/${kind.version}`;
    if (placeOf(kind.type).file !== expected) throw new Error(`${kind.type} is not in ${expected}`);
  }
  return Object.fromEntries(
    [...byFile].map(([file, types]) => [`sdk/k8s/generated/${file}.ts`, fileText(file, types, kinds, model)]),
  );
}

function fileText(file, types, kinds, model) {
  const imports = new Imports(file, model);
  const own = file === 'meta/v1' ? ownMetaTypes : [];
  const body = types
    .filter(({ name }) => !own.includes(name))
    .map((type) => declaration(type, kinds.get(type.typeName), imports));
  if (own.length > 0) body.unshift(`export type { ${own.join(', ')} } from '${apiFolder}/meta.ts';\n`);
  const header = `// Made by scripts/generate-k8s.mjs from the OpenAPI documents of Kubernetes ${model.version}. Do not edit.\n`;
  return `${header}${imports.text()}\n${body.join('\n')}`;
}

function declaration({ typeName, name, schema }, kind, imports) {
  const doc = comment(schema.description, '');
  if (unionTypes.has(name)) return `${doc}export type ${name} = ${unionTypes.get(name)};\n`;
  if (schema.properties === undefined) return `${doc}export type ${name} = ${typeOf(schema, imports)};\n`;
  const isKind = isObjectKind(schema);
  const base = isKind
    ? ` extends ${imports.meta('KubeObject')}${kind === undefined ? '' : typeArguments(kind)}`
    : '';
  const skipped = isKind ? ['apiVersion', 'kind', 'metadata'] : [];
  const members = Object.entries(schema.properties)
    .filter(([property]) => !skipped.includes(property))
    .map(([property, value]) =>
      member(property, value, schema.required?.includes(property) === true, imports),
    );
  const text = `${doc}export interface ${name}${base} {\n${members.join('')}}\n`;
  if (kind === undefined) return text;
  const { group, version, plural, namespaced } = kind;
  const scope = namespaced ? 'Namespaced' : 'Cluster';
  const parts = Object.entries({ group, version, kind: kind.kind, plural, scope })
    .map(([name, value]) => `${name}: '${value}'`)
    .join(', ');
  imports.tokens = true;
  return `${text}export const ${name}: Resource<${name}> = /* @__PURE__ */ externalResource<${name}>({ ${parts} });\n`;
}

/** `<'apps/v1', 'Deployment'>`: what tells kinds of equal shape, and versions of one kind, from each other. */
function typeArguments({ group, version, kind }) {
  return `<'${group === '' ? version : `${group}/${version}`}', '${kind}'>`;
}

/** An object of its own: it has a kind and metadata. */
function isObjectKind({ properties = {} }) {
  return (
    properties.apiVersion !== undefined &&
    properties.kind !== undefined &&
    properties.metadata?.$ref === objectMeta
  );
}

function member(name, schema, isRequired, imports) {
  const key = identifier.test(name) ? name : `'${name}'`;
  const type = typeOf(schema, imports);
  const optional = isRequired ? `: ${type}` : `?: ${type} | undefined`;
  return `${comment(schema.description, '  ')}  ${key}${optional};\n`;
}

function typeOf(schema, imports) {
  if (schema.$ref !== undefined) return referenceTo(schema.$ref, imports);
  switch (schema.type) {
    case 'string':
      return stringType(schema, imports);
    case 'boolean':
      return 'boolean';
    case 'integer':
      return imports.utility({ int32: 'Int32', int64: 'Int64' }[schema.format] ?? 'Integer');
    case 'number':
      return imports.utility({ double: 'Double', float: 'Float32' }[schema.format] ?? 'Float');
    case 'array': {
      const items = typeOf(schema.items, imports);
      return /[|&]/.test(items) ? `(${items})[]` : `${items}[]`;
    }
    case 'object':
      return schema.additionalProperties === undefined
        ? imports.utility('JsonObject')
        : `Record<string, ${typeOf(schema.additionalProperties, imports)}>`;
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

function stringType({ format, knownValues, enum: values = knownValues }, imports) {
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ');
  if (format === 'byte') return imports.utility('Base64');
  if (format === 'date-time') return imports.utility('DateTime');
  if (format === undefined) return 'string';
  throw new Error(`no TypeScript type for format ${format}`);
}

function referenceTo(typeName, imports) {
  const utility = utilityTypes.get(typeName);
  if (utility !== undefined) return imports.utility(utility);
  const reference = imports.type(typeName);
  // Inside another object a kind needs no name of its own kind: StatefulSetSpec.volumeClaimTemplates.
  if (!isObjectKind(imports.model.types.get(typeName))) return reference;
  const base = imports.meta('KubeObject');
  const head = `Partial<Pick<${reference}, 'apiVersion' | 'kind'>> & { metadata?: ${imports.type(objectMeta)} | undefined }`;
  return `${head} & Omit<${reference}, keyof ${base}>`;
}

/** What a file imports, found out while its body is written. */
class Imports {
  tokens = false;
  #utility = new Set();
  #meta = new Set();
  #files = new Set();

  constructor(file, model) {
    this.file = file;
    this.model = model;
  }

  utility(name) {
    this.#utility.add(name);
    return name;
  }

  meta(name) {
    this.#meta.add(name);
    return name;
  }

  type(typeName) {
    const { file, name } = placeOf(typeName);
    if (file === 'meta/v1' && ownMetaTypes.includes(name)) return this.meta(name);
    if (file === this.file) return name;
    this.#files.add(file);
    return `${alias(file)}.${name}`;
  }

  text() {
    const lines = [...this.#files]
      .sort(byCodePoint)
      .map((file) => `import type * as ${alias(file)} from '../${file}.ts';`);
    const named = (names, path) =>
      names.size > 0 &&
      lines.push(`import type { ${[...names].sort(byCodePoint).join(', ')} } from '${apiFolder}/${path}';`);
    named(this.#meta, 'meta.ts');
    named(this.#utility, 'types.ts');
    if (this.tokens)
      lines.push(`import { externalResource, type Resource } from '${apiFolder}/resource.ts';`);
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }
}

const alias = (file) => file.replace('/', '_');

const longest = 240;

/** The first sentence of a description, and a tag if it says that the thing is deprecated. */
function comment(description, indent) {
  if (description === undefined || description === '') return '';
  const sentence = firstSentence(description.trim()).replace(/\s+/g, ' ');
  const short =
    sentence.length <= longest ? sentence : `${sentence.slice(0, sentence.lastIndexOf(' ', longest))} …`;
  const deprecated = /(?:^|[.\n] ?)deprecated[:.]/i.test(description) ? ' @deprecated' : '';
  return `${indent}/** ${short.replaceAll('*/', '*\\/')}${deprecated} */\n`;
}

/** Up to the first full stop that ends a sentence rather than an abbreviation. */
function firstSentence(text) {
  for (const { index, 0: stop } of text.matchAll(/[.!?](?=\s|$)|\n\n/g)) {
    if (!/(?:\be\.g|\bi\.e|\betc|\bvs|\bcf)$/i.test(text.slice(0, index)))
      return text.slice(0, index) + stop.trim();
  }
  return text;
}
