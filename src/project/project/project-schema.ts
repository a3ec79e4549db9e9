import { OpSdkError } from '../../base/errors/index.ts';
import { isJsonMap, jsonListOf, jsonMapOf, jsonTextOf } from '../../base/util/json-map.ts';
import { documentStyle, problemFindings, readJson } from '../../base/util/read-json.ts';
import { parseKubernetesYaml } from '../../kubernetes/yaml/kubernetes-yaml.ts';
import { parseYaml } from '../../kubernetes/yaml/read-yaml.ts';
import { LAYOUT_KEY, layout, pluginKeys } from './layout.ts';
import { projectReader, type Project } from './project-reader.ts';

const SUPPORTED_VERSION = '3';

/**
 * Reads the text of a PROJECT file. Keys that op-sdk does not know are left alone.
 * @throws OpSdkError with every problem of the file, each with line and column
 */
export function readProject(text: string): Project {
  const document = parseYaml(text, layout.projectFile);
  const root = document.value;
  if (!isJsonMap(root))
    throw new OpSdkError({
      code: 'project/invalid',
      message: 'PROJECT is not a map of keys and values',
      where: document.locate([]),
      fix: ['restore PROJECT from version control, or make a new project with `op-sdk init`'],
    });
  const { version } = root;
  // Everything else would be judged by the wrong schema.
  if (typeof version === 'string' && version !== SUPPORTED_VERSION)
    throw new OpSdkError({
      code: 'project/unsupported-version',
      message: `PROJECT has version ${JSON.stringify(version)}; op-sdk reads version "${SUPPORTED_VERSION}"`,
      where: document.locate(['version']),
      fix: ['make a new project with `op-sdk init` and move your types and manifests over'],
    });
  const { value, problems } = readJson(projectReader, root, 'PROJECT', { style: documentStyle });
  const findings = problemFindings(
    problems,
    (path) => document.locate(path),
    () => 'project/invalid',
  );
  if (value === undefined || findings.length > 0) throw new OpSdkError(findings);
  return value;
}

/** The part that op-sdk reads of a project that another tool created. */
interface ForeignProject {
  readonly layout: readonly string[];
  /** Undefined where PROJECT names none. */
  readonly projectName: string | undefined;
}

/**
 * Reads the plugin keys and the name from the PROJECT file of a project that another tool made.
 * @returns undefined for a project of op-sdk
 * @throws OpSdkError `io/yaml-*`
 */
export function readForeignProject(text: string): ForeignProject | undefined {
  const root = jsonMapOf(parseKubernetesYaml(text, layout.projectFile)[0]?.value);
  const keys = pluginKeys([...jsonListOf(root['layout']), root['layout']].map(jsonTextOf));
  const layouts = keys.filter((key) => key !== '');
  if (layouts.length === 0 || layouts.includes(LAYOUT_KEY)) return undefined;
  const projectName = jsonTextOf(root['projectName']);
  return { layout: layouts, projectName: projectName === '' ? undefined : projectName };
}
