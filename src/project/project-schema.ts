import { FindingList, type Finding } from '../errors/index.ts';
import { LAYOUT_KEY, layout } from './layout.ts';
import { checkKindName, checkPlural, checkProjectName, checkSubdomain, checkVersion } from './names.ts';
import { defaultPlural } from '../util/plural.ts';
import type { Project } from './project-file.ts';
import { fullGroup, type ProjectResource } from './resource.ts';
import { parseKubernetesYaml } from '../yaml/kubernetes-yaml.ts';
import { isMap, isScalar, isSeq, parseYamlTree, type YAMLMap } from '../yaml/tree.ts';
import { jsonListOf, jsonMapOf, jsonTextOf } from '../util/json-map.ts';
import { YamlReader } from './yaml-reader.ts';

const SUPPORTED_VERSION = '3';

/**
 * Reads the text of a PROJECT file. Keys that op-sdk does not know are left alone.
 * @throws OpSdkError with every problem of the file, each with line and column
 */
export function readProject(text: string): Project {
  const document = parseYamlTree(text);
  const findings = new FindingList();
  const where = (offset: number): Finding['where'] => {
    return { file: layout.projectFile, ...document.placeAt(offset) };
  };
  for (const error of document.errors) {
    const place = where(error.offset);
    findings.add({
      code: 'io/yaml-syntax',
      message: `PROJECT is not valid YAML: ${error.message}`,
      ...(place && { where: place }),
      fix: ['correct the YAML at this place'],
    });
  }
  findings.throwIfAny();

  const reader = new YamlReader(findings, where);
  const root = document.contents;
  if (!isMap(root)) {
    findings.add({
      code: 'project/invalid',
      message: 'PROJECT is not a map of keys and values',
      where: { file: layout.projectFile, line: 1 },
      fix: ['restore PROJECT from version control, or make a new project with `npx opsdk init`'],
    });
    findings.throwIfAny();
  }
  const project = readRoot(root as YAMLMap.Parsed, reader);
  findings.throwIfAny();
  return project;
}

/**
 * Reads the plugin keys from the PROJECT file of a project that another tool made.
 * @returns undefined for a project of op-sdk
 * @throws OpSdkError `io/yaml-*`
 */
export function readForeignLayout(text: string): readonly string[] | undefined {
  const root = jsonMapOf(parseKubernetesYaml(text, layout.projectFile)[0]?.value);
  // kubebuilder 3 wrote one string, keys joined by commas.
  const keys = [...jsonListOf(root['layout']), root['layout']].flatMap((key) => jsonTextOf(key).split(','));
  const layouts = keys.filter((key) => key !== '');
  return layouts.length === 0 || layouts.includes(LAYOUT_KEY) ? undefined : layouts;
}

function readRoot(root: YAMLMap.Parsed, read: YamlReader): Project {
  const version = read.string(root, 'version', 'PROJECT', { required: true });
  if (version !== undefined && version !== SUPPORTED_VERSION) {
    read.fail(
      'project/unsupported-version',
      `PROJECT has version ${JSON.stringify(version)}; op-sdk reads version "3"`,
      read.node(root, 'version'),
      ['make a new project with `npx opsdk init` and move your types and manifests over'],
    );
    // What follows would be judged by the wrong schema.
    read.findings.throwIfAny();
  }
  const domain = read.string(root, 'domain', 'PROJECT', { required: true, check: checkSubdomain });
  const repo = read.string(root, 'repo', 'PROJECT');
  const projectName = read.string(root, 'projectName', 'PROJECT', {
    required: true,
    check: checkProjectName,
  });
  const cliVersion = read.string(root, 'cliVersion', 'PROJECT');
  const layouts = readLayout(root, read);
  const multigroup = read.boolean(root, 'multigroup', 'PROJECT') ?? false;
  const resources = readResources(root, read, domain ?? '');
  read.map(root, 'plugins', 'PROJECT');
  return {
    domain: domain ?? '',
    ...(repo === undefined ? {} : { repo }),
    projectName: projectName ?? '',
    ...(cliVersion === undefined ? {} : { cliVersion }),
    layout: layouts,
    multigroup,
    resources,
  };
}

function readLayout(root: YAMLMap.Parsed, read: YamlReader): readonly string[] {
  const node = read.node(root, 'layout');
  if (node === undefined) {
    read.fail('project/invalid', 'PROJECT has no layout', root, [
      `add \`layout: [${LAYOUT_KEY}]\` if op-sdk made this project`,
    ]);
    return [];
  }
  const items: readonly unknown[] = isSeq(node) ? node.items : [node];
  const layouts = items.map((item) =>
    isScalar(item) && typeof item.value === 'string' ? item.value : undefined,
  );
  const named = layouts.filter((item) => item !== undefined);
  // kubebuilder 3 wrote one string, keys joined by commas.
  const keys = named.flatMap((item) => item.split(','));
  if (named.length < layouts.length) {
    read.fail('project/invalid', 'layout must be a list of plugin keys', node);
  } else if (!keys.includes(LAYOUT_KEY)) {
    read.fail(
      'project/foreign-layout',
      `the project has the layout ${keys.join(', ')}; op-sdk works on ${LAYOUT_KEY}`,
      node,
      ['use the tool that made the project, or make a new one with `npx opsdk init`'],
    );
  }
  return keys;
}

function readResources(
  root: YAMLMap.Parsed,
  read: YamlReader,
  projectDomain: string,
): readonly ProjectResource[] {
  const node = read.node(root, 'resources');
  if (node === undefined) return [];
  if (!isSeq(node)) {
    read.fail('project/invalid', 'resources must be a list', node);
    return [];
  }
  const seen = new Map<string, number>();
  return node.items.flatMap((item, index) => {
    const name = `resources[${index}]`;
    if (!isMap(item)) {
      read.fail('project/invalid', `${name} must be a map`, item);
      return [];
    }
    const resource = readResource(item, name, read, projectDomain);
    const key = `${fullGroup(resource)}/${resource.version}, Kind=${resource.kind}`;
    const first = seen.get(key);
    if (first !== undefined) {
      read.fail('project/duplicate-resource', `${name} repeats resources[${first}]: ${key}`, item, [
        'remove one of the two',
      ]);
    }
    seen.set(key, first ?? index);
    return [resource];
  });
}

function readResource(
  map: YAMLMap.Parsed,
  name: string,
  read: YamlReader,
  projectDomain: string,
): ProjectResource {
  // The core group and kinds of other projects have no group or a domain of their own.
  const group = read.string(map, 'group', name, { check: checkSubdomain }) ?? '';
  const domain = read.string(map, 'domain', name, { check: checkSubdomain });
  const version = read.string(map, 'version', name, { required: true, check: checkVersion }) ?? '';
  const kind = read.string(map, 'kind', name, { required: true, check: checkKindName }) ?? '';
  const plural = read.string(map, 'plural', name, { check: checkPlural });
  const path = read.string(map, 'path', name);
  const controller = read.boolean(map, 'controller', name) ?? false;
  const api = read.map(map, 'api', name);
  const crdVersion = api && read.string(api, 'crdVersion', `${name}.api`, { required: true });
  if (api !== undefined && crdVersion !== undefined && crdVersion !== 'v1') {
    read.fail(
      'project/invalid',
      `${name}.api.crdVersion is ${JSON.stringify(crdVersion)}; Kubernetes serves v1 only`,
      read.node(api, 'crdVersion'),
    );
  }
  const namespaced = (api && read.boolean(api, 'namespaced', `${name}.api`)) ?? false;
  return {
    group,
    domain: domain ?? (read.node(map, 'core') === undefined ? projectDomain : ''),
    version,
    kind,
    plural: plural ?? defaultPlural(kind),
    ...(path === undefined ? {} : { path }),
    ...(api === undefined ? {} : { api: { crdVersion: crdVersion ?? '', namespaced } }),
    controller,
  };
}
