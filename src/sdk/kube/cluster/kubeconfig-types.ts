import { FAILSAFE_SCHEMA, load, Type } from 'js-yaml';
import { isBase64 } from '../../../base/util/bytes.ts';
import { readPlainAsGo } from '../../../base/util/go-scalars.ts';

/** Type of a kubeconfig field, as Go's JSON decoder checks it. An object type lists the known fields; other fields are ignored. */
type FieldType =
  | 'string'
  | 'bool'
  | 'bytes'
  | { readonly list: FieldType }
  | { readonly map: FieldType }
  | { readonly fields: Readonly<Record<string, FieldType>> };

const strings = (...names: readonly string[]): Readonly<Record<string, FieldType>> =>
  Object.fromEntries(names.map((name) => [name, 'string' as const]));

const cluster: FieldType = {
  fields: {
    ...strings('server', 'tls-server-name', 'certificate-authority', 'proxy-url'),
    'insecure-skip-tls-verify': 'bool',
    'disable-compression': 'bool',
    'certificate-authority-data': 'bytes',
  },
};

const user: FieldType = {
  fields: {
    ...strings(
      'client-certificate',
      'client-key',
      'token',
      'tokenFile',
      'as',
      'as-uid',
      'username',
      'password',
    ),
    'client-certificate-data': 'bytes',
    'client-key-data': 'bytes',
    'as-groups': { list: 'string' },
    'as-user-extra': { map: { list: 'string' } },
    'auth-provider': { fields: { name: 'string', config: { map: 'string' } } },
    exec: {
      fields: {
        ...strings('command', 'apiVersion', 'installHint', 'interactiveMode'),
        args: { list: 'string' },
        env: { list: { fields: strings('name', 'value') } },
        provideClusterInfo: 'bool',
      },
    },
  },
};

const named = (key: string, type: FieldType): FieldType => ({
  list: { fields: { name: 'string', [key]: type } },
});

/** Types of the fields of a kubeconfig. Source: client-go `tools/clientcmd/api/v1/types.go`. */
const config: FieldType = {
  fields: {
    ...strings('apiVersion', 'kind', 'current-context'),
    clusters: named('cluster', cluster),
    users: named('user', user),
    contexts: named('context', { fields: strings('cluster', 'user', 'namespace') }),
  },
};

/**
 * Describes the first value of a kubeconfig that kubectl cannot read, for example `users[0].user.token: expected a string, got a number`.
 * Null counts as absent.
 */
export function mistypedField(value: unknown): string | undefined {
  return mistyped(value, config, '');
}

function mistyped(value: unknown, type: FieldType, path: string): string | undefined {
  if (value === null || value === undefined) return undefined;
  const refuse = (expected: string): string =>
    `${path === '' ? 'the file' : path}: expected ${expected}, got ${kindOf(value)}`;
  if (type === 'string') return typeof value === 'string' ? undefined : refuse('a string');
  if (type === 'bool') return typeof value === 'boolean' ? undefined : refuse('true or false');
  if (type === 'bytes') {
    if (typeof value !== 'string') return refuse('a base64 string');
    return isBase64(value) ? undefined : `${path}: expected a base64 string with its padding`;
  }
  if ('list' in type) {
    if (!Array.isArray(value)) return refuse('a list');
    return first(value.entries(), ([index, item]) => mistyped(item, type.list, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || Array.isArray(value)) return refuse('a mapping');
  const entries = Object.entries(value);
  if ('map' in type) return first(entries, ([key, item]) => mistyped(item, type.map, `${path}.${key}`));
  const { fields } = type;
  return first(entries, ([key, item]) => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field === undefined ? undefined : mistyped(item, field, path === '' ? key : `${path}.${key}`);
  });
}

function first<T>(items: Iterable<T>, look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

const scalar = (tag: string, matches: (value: unknown) => boolean): Type =>
  new Type(`tag:yaml.org,2002:${tag}`, {
    kind: 'scalar',
    resolve: (text: string | null) => matches(readPlainAsGo(text ?? '')),
    construct: (text: string | null) => readPlainAsGo(text ?? ''),
  });

const isNumber = (value: unknown): boolean => typeof value === 'number';

/** YAML schema that parses scalars like kubectl. Dates remain strings, as in JSON. */
const goSchema = FAILSAFE_SCHEMA.extend({
  implicit: [
    scalar('null', (value) => value === null),
    scalar('bool', (value) => typeof value === 'boolean'),
    scalar('int', (value) => isNumber(value) && Number.isInteger(value)),
    scalar('float', isNumber),
    new Type('tag:yaml.org,2002:merge', { kind: 'scalar', resolve: (text: string) => text === '<<' }),
  ],
});

/**
 * Parses YAML like kubectl (sigs.k8s.io/yaml): accepts the booleans of YAML 1.1, keeps dates as strings, uses the last value of a duplicate
 * key, and reads only the first of several documents.
 *
 * @throws YAMLException
 */
export function loadGoYaml(text: string, filename: string): unknown {
  return load(firstDocument(text), { filename, schema: goSchema, json: true });
}

/** Cuts the text at the first line with `---` or `...` that follows content, so that later documents are not parsed. */
function firstDocument(text: string): string {
  const marker = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;
  let begun = false;
  for (let match = marker.exec(text); match !== null; match = marker.exec(text)) {
    const before = text.slice(0, match.index).replace(/^\uFEFF/, '');
    const isBegin = !begun && match[0] === '---' && /^(?:[ \t]*(?:#.*)?\r?\n|%.*\n)*$/.test(before);
    if (!isBegin) return text.slice(0, match.index);
    begun = true;
  }
  return text;
}
