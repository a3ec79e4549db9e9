// The commands of kubectl that the stories of the examples type, with its output, for machines without kubectl: tables come from the API
// server, which has them rendered.
import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { apiOf } from './api.mjs';

const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Splits a command line into words, as a shell does. There are single quotes, and nothing else. */
export function wordsOf(line) {
  return (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''));
}

/** Renders rows as kubectl does: columns are three spaces apart, and at least six characters wide. */
export function formatRows(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] + 3)).join(''));
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** Options of a command line: flags that take a value, and the other words. */
function optionsOf(words) {
  const names = { '-n': 'namespace', '-l': 'selector', '-o': 'output', '-f': 'filename', '-p': 'patch' };
  const options = { words: [] };
  for (let index = 0; index < words.length; index += 1) {
    const [flag, ...rest] = words[index].split('=');
    if (!flag.startsWith('-')) options.words.push(words[index]);
    else if (flag === '-A' || flag === '--server-side' || flag === '--overwrite') options[flag] = true;
    else options[names[flag] ?? flag.slice(2)] = rest.length > 0 ? rest.join('=') : words[(index += 1)];
  }
  return options;
}

/** A client of one API server that takes command lines of kubectl. */
export class Kubectl {
  #api;
  #resources = [];

  /** @param {string} kubeconfig path of a kubeconfig with a client certificate in it, as test control planes have it */
  constructor(kubeconfig) {
    const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8'));
    const text = (base64) => Buffer.from(base64, 'base64').toString('utf8');
    const [{ cluster }] = clusters;
    const [{ user }] = users;
    this.#api = apiOf({
      url: cluster.server,
      caCertificate: text(cluster['certificate-authority-data']),
      credentials: {
        certificate: text(user['client-certificate-data']),
        key: text(user['client-key-data']),
      },
    });
  }

  /**
   * Runs a command line, without the word `kubectl`.
   * @param {string} line
   * @param {string} [stdin] what `-f -` reads
   * @returns {Promise<string>} the output
   * @throws Error with the answer of the API server, or for a command that is not known here
   */
  async run(line, stdin = '') {
    const [verb, ...rest] = wordsOf(line);
    const options = optionsOf(rest);
    const commands = { get: 'get', patch: 'patch', delete: 'delete', create: 'create', apply: 'apply' };
    if (verb === 'label' || verb === 'annotate') return this.#mark(verb, options);
    if (commands[verb] === undefined) throw new Error(`kubectl ${verb} is not known here`);
    return this[commands[verb]](options, stdin);
  }

  /** @returns {Promise<object | undefined>} an object, or undefined if there is none */
  async object(word, name, namespace = 'default') {
    const resource = await this.#find(word);
    const { status, body } = await this.#api.request('GET', pathOf(resource, namespace, name));
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(body.message);
    return body;
  }

  /** @returns {Promise<readonly object[]>} all objects of a namespace */
  async objects(word, namespace = 'default') {
    return (await this.#must('GET', pathOf(await this.#find(word), namespace))).items;
  }

  async get({ words: [kinds, name], namespace = 'default', selector, output, '-A': everywhere }) {
    const asked = kinds.split(',').map((kind) => kind.split('/'));
    if (output !== undefined) return this.#print(asked[0], name, { namespace, output });
    const parts = [];
    for (const [kind, ofKind = name] of asked) {
      const resource = await this.#find(kind);
      const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
      const path = pathOf(resource, everywhere ? undefined : namespace, ofKind);
      const table = await this.#must('GET', `${path}${query}`, undefined, undefined, tables);
      const prefix = asked.length > 1 ? `${qualified(resource)}/` : '';
      if (table.rows.length > 0)
        parts.push(
          tableText(table, { prefix, namespaces: everywhere === true && resource.scope === 'Namespaced' }),
        );
    }
    if (parts.length > 0) return parts.join('\n\n');
    return everywhere ? 'No resources found' : `No resources found in ${namespace} namespace.`;
  }

  async #print([kind, ofKind], name = ofKind, { namespace, output }) {
    const object = await this.#must('GET', pathOf(await this.#find(kind), namespace, name));
    if (output === 'yaml') return stringify(object).trimEnd();
    const path = /^jsonpath=\{\.([\w.]+)\}$/.exec(output)?.[1];
    if (path === undefined) throw new Error(`-o ${output} is not known here`);
    const value = path.split('.').reduce((part, key) => part?.[key], object);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  async patch({ words, namespace = 'default', patch }) {
    const { resource, name, path } = await this.#one(words, namespace);
    await this.#must('PATCH', path, patch, 'application/merge-patch+json');
    return `${qualified(resource)}/${name} patched`;
  }

  async delete({ words, namespace = 'default' }) {
    const { resource, name, path } = await this.#one(words, namespace);
    await this.#must('DELETE', path, JSON.stringify({ propagationPolicy: 'Background' }));
    const from = resource.scope === 'Namespaced' ? ` from ${namespace} namespace` : '';
    return `${qualified(resource)} "${name}" deleted${from}`;
  }

  async create({ words: [kind, name], namespace = 'default', clusterrole, serviceaccount, ...options }) {
    const metadata = { name };
    const [key = '', value = ''] = (options['from-literal'] ?? '').split('=');
    const [account, accountName] = (serviceaccount ?? '').split(':');
    const bodies = {
      namespace: { metadata },
      configmap: { metadata, data: { [key]: value } },
      clusterrolebinding: {
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: clusterrole },
        subjects: [{ kind: 'ServiceAccount', namespace: account, name: accountName }],
      },
    };
    if (bodies[kind] === undefined) throw new Error(`kubectl create ${kind} is not known here`);
    const resource = await this.#find(kind);
    const { apiVersion, kind: type } = resource;
    const object = { apiVersion, kind: type, ...bodies[kind] };
    await this.#must('POST', pathOf(resource, namespace), JSON.stringify(object));
    return `${qualified(resource)}/${name} created`;
  }

  async apply({ filename, '--server-side': isServerSide }, stdin) {
    if (isServerSide !== true || filename !== '-')
      throw new Error('kubectl apply is known here with --server-side -f - only');
    const lines = [];
    for (const document of parseAllDocuments(stdin)) {
      const object = document.toJS();
      if (object === null) continue;
      const { name, namespace = 'default' } = object.metadata;
      const [version, group = ''] = object.apiVersion.split('/').reverse();
      const resource = await this.#find(`${object.kind.toLowerCase()}.${version}.${group}`);
      const query = 'fieldManager=kubectl&fieldValidation=Strict';
      const path = `${pathOf(resource, namespace, name)}?${query}`;
      await this.#must('PATCH', path, JSON.stringify(object), 'application/apply-patch+yaml');
      lines.push(`${qualified(resource)}/${name} serverside-applied`);
    }
    return lines.join('\n');
  }

  async #mark(verb, { words: [kind, name, ...pairs], namespace = 'default' }) {
    const { resource, path } = await this.#one([kind, name], namespace);
    const entries = pairs.map((pair) =>
      pair.endsWith('-')
        ? [pair.slice(0, -1), null]
        : [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)],
    );
    const field = verb === 'label' ? 'labels' : 'annotations';
    const body = JSON.stringify({ metadata: { [field]: Object.fromEntries(entries) } });
    await this.#must('PATCH', path, body, 'application/merge-patch+json');
    const done = { label: entries[0][1] === null ? 'unlabeled' : 'labeled', annotate: 'annotated' };
    return `${qualified(resource)}/${name} ${done[verb]}`;
  }

  /** The object that `KIND NAME` or `KIND/NAME` names. */
  async #one(words, namespace) {
    const [kind, name] = words[0].includes('/') ? words[0].split('/') : words;
    const resource = await this.#find(kind);
    return { resource, name, path: pathOf(resource, namespace, name) };
  }

  /** Finds a resource by its plural, singular or short name, with group or with version and group behind it. */
  async #find(word) {
    const matches = ({ name, singular, shortNames, group, version }) =>
      [name, singular, ...shortNames].some((each) =>
        [each, `${each}.${group}`, `${each}.${version}.${group}`].includes(word),
      );
    const found = this.#resources.find(matches);
    if (found !== undefined) return found;
    // Definitions may have come since.
    const groups = [];
    for (const path of ['/api', '/apis'])
      groups.push(...(await this.#must('GET', path, undefined, undefined, discovery)).items);
    this.#resources = groups.flatMap(({ metadata: { name: group = '' } = {}, versions }) =>
      versions.flatMap(({ version, resources }) =>
        resources.map(({ resource, responseKind, scope, singularResource, shortNames = [] }) => ({
          ...{ name: resource, singular: singularResource, shortNames, scope, group, version },
          kind: responseKind.kind,
          apiVersion: group === '' ? version : `${group}/${version}`,
        })),
      ),
    );
    const now = this.#resources.find(matches);
    if (now === undefined) throw new Error(`the server doesn't have a resource type "${word}"`);
    return now;
  }

  async #must(method, path, body, contentType, accept) {
    const answer = await this.#api.request(method, path, body, contentType, accept);
    if (answer.status >= 300)
      throw new Error(`Error from server (${answer.body.reason}): ${answer.body.message}`);
    return answer.body;
  }
}

/** The name of a resource as kubectl prints it: `pod`, `deployment.apps`. */
function qualified({ singular, group }) {
  return group === '' ? singular : `${singular}.${group}`;
}

function pathOf({ name: plural, apiVersion, group, scope }, namespace, name) {
  const inNamespace = scope === 'Namespaced' && namespace !== undefined ? `/namespaces/${namespace}` : '';
  return `/${group === '' ? 'api' : 'apis'}/${apiVersion}${inNamespace}/${plural}${name === undefined ? '' : `/${name}`}`;
}

function tableText({ columnDefinitions, rows }, { prefix, namespaces }) {
  const shown = columnDefinitions.flatMap(({ priority }, index) => (priority === 0 ? [index] : []));
  const text = (cell) => (cell === null || cell === undefined ? '' : String(cell));
  const lines = rows.map(({ cells, object }) => {
    const row = shown.map((index) => `${index === shown[0] ? prefix : ''}${text(cells[index])}`);
    return namespaces ? [object.metadata.namespace, ...row] : row;
  });
  const header = shown.map((index) => columnDefinitions[index].name.toUpperCase());
  return formatRows([namespaces ? ['NAMESPACE', ...header] : header, ...lines]);
}
