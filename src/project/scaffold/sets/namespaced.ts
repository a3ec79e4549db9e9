import { isDeepStrictEqual } from 'node:util';
import { FindingList, OpSdkError, type Finding } from '../../../base/errors/index.ts';
import { editYaml, layout, userAccesses, type LoadedProject } from '../../project/index.ts';
import { isJsonMap, jsonListOf } from '../../../base/util/json-map.ts';
import {
  addToYamlList,
  editYamlDocument,
  removeFromYamlList,
  setInYamlMap,
  toYaml,
} from '../../../kubernetes/yaml/index.ts';
import type { RenderedFile } from '../template-tree.ts';
import type { ReadFile } from './api.ts';

const bindingFile = `${layout.rbac}/role_binding.yaml`;
const managerFile = 'config/manager/manager.yaml';

/** Environment variable that restricts the operator to its own namespace. */
const watchNamespace = {
  name: 'WATCH_NAMESPACE',
  valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
};

/** Result of changing a project's scope: the edited files, and warnings about edits that the user must make. */
interface ScopeEdits {
  readonly files: readonly RenderedFile[];
  readonly warnings: readonly Finding[];
}

/**
 * Edits the manifests of a project for an operator of one namespace or of the entire cluster. Changes the operator's role binding, the
 * environment of its Deployment, and the roles for users. Other content of these files is preserved.
 *
 * @throws OpSdkError with everything that cannot be edited, and the text to write there
 */
export async function scopeEdits(
  { resources }: Pick<LoadedProject, 'resources'>,
  namespaced: boolean,
  read: ReadFile,
): Promise<ScopeEdits> {
  const findings = new FindingList();
  const files: RenderedFile[] = [];
  const warnings: Finding[] = [];
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const text = await read(path);
    await findings.gather(async () => files.push({ path, content: change(text ?? '') }));
  };
  await edit(bindingFile, (text) => withBinding(text, namespaced));
  await edit(managerFile, (text) => {
    const { content, warning } = withWatchNamespace(text, namespaced);
    if (warning !== undefined) warnings.push(warning);
    return content;
  });
  const ofPeople = resources
    .filter(({ api }) => api?.namespaced === true)
    .flatMap((resource) => userAccesses.map((access) => layout.userRoleFile(resource, access)))
    .map((file) => `${layout.rbac}/${file}`);
  for (const path of new Set(ofPeople))
    if ((await read(path)) !== undefined) await edit(path, (text) => withRole(path, text, namespaced));
  findings.throwIfAny();
  return { files, warnings };
}

function withBinding(text: string, namespaced: boolean): string {
  const kinds = namespaced
    ? { binding: 'RoleBinding', role: 'Role' }
    : { binding: 'ClusterRoleBinding', role: 'ClusterRole' };
  const entries = { kind: kinds.binding, roleRef: { kind: kinds.role, name: 'manager-role' } };
  const isBinding = (value: unknown): boolean =>
    isJsonMap(value) &&
    /^(?:Cluster)?RoleBinding$/.test(String(value['kind'])) &&
    isJsonMap(value['roleRef']) &&
    value['roleRef']['name'] === 'manager-role';
  const edited = editYaml(bindingFile, toYaml(entries), () =>
    editYamlDocument(text, isBinding, (document) =>
      setInYamlMap(setInYamlMap(document, [], { kind: kinds.binding }), ['roleRef'], { kind: kinds.role }),
    ),
  );
  return edited ?? refuse(bindingFile, 'a binding of manager-role', toYaml(entries));
}

function withRole(path: string, text: string, namespaced: boolean): string {
  const kind = namespaced ? 'Role' : 'ClusterRole';
  const isRole = (value: unknown): boolean =>
    isJsonMap(value) && /^(?:Cluster)?Role$/.test(String(value['kind']));
  const edited = editYaml(path, toYaml({ kind }), () =>
    editYamlDocument(text, isRole, (document) => setInYamlMap(document, [], { kind })),
  );
  return edited ?? refuse(path, 'a Role or ClusterRole', toYaml({ kind }));
}

function withWatchNamespace(
  text: string,
  namespaced: boolean,
): { readonly content: string; readonly warning?: Finding } {
  const byHand = namespaced
    ? `# in env of the container manager\n${toYaml([watchNamespace])}`
    : '# no WATCH_NAMESPACE in env of the container manager';
  let isForeign = false;
  const edited = editYaml(managerFile, byHand, () =>
    editYamlDocument(text, isDeployment, (document, value) => {
      const containers = listAt(value, ['spec', 'template', 'spec', 'containers']);
      const named = containers.findIndex((each) => isJsonMap(each) && each['name'] === 'manager');
      const path = ['spec', 'template', 'spec', 'containers', Math.max(named, 0), 'env'];
      const env = listAt(containers[Math.max(named, 0)], ['env']);
      const index = env.findIndex((each) => isJsonMap(each) && each['name'] === watchNamespace.name);
      if (namespaced) return index === -1 ? addToYamlList(document, path, watchNamespace) : document;
      // A value other than op-sdk's was set by the user on purpose, so it is not removed.
      isForeign = index !== -1 && !isDeepStrictEqual(env[index], watchNamespace);
      return index === -1 || isForeign
        ? document
        : removeFromYamlList(document, path, (_, at) => at === index);
    }),
  );
  const content = edited ?? refuse(managerFile, "the operator's Deployment", byHand);
  if (!isForeign) return { content };
  const line = content.split('\n').findIndex((each) => each.includes(watchNamespace.name)) + 1;
  return {
    content,
    warning: {
      code: 'project/watch-namespace-kept',
      message: `${managerFile} keeps its own value of WATCH_NAMESPACE, which op-sdk did not write: the operator continues to watch only the namespaces named there`,
      where: { file: managerFile, line },
      fix: ['remove the variable to watch all namespaces'],
    },
  };
}

function isDeployment(value: unknown): boolean {
  return isJsonMap(value) && value['kind'] === 'Deployment';
}

function refuse(file: string, expected: string, byHand: string): never {
  throw new OpSdkError({
    code: 'project/cannot-edit',
    message: `${file} cannot be edited: expected ${expected}, got none`,
    where: { file },
    fix: [
      `restore what was expected and run the command again, or write this where you have it now:\n${byHand.trimEnd()}`,
    ],
  });
}

function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = path.reduce<unknown>((inner, key) => (isJsonMap(inner) ? inner[key] : undefined), value);
  return jsonListOf(found);
}
