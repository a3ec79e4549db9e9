import type { Finding } from '../../../base/errors/index.ts';
import { parseKubernetesYaml } from '../../../kubernetes/yaml/index.ts';
import type { SourceMemory } from '../../../compiler/schema/index.ts';
import type { CliContext } from '../../command.ts';
import type { SideDocument } from '../diff/read-documents.ts';
import { generateAndRender } from '../manifests/made-manifests.ts';

/**
 * The roles that `op-sdk generate manifests` would write now, each document of their files.
 * @throws OpSdkError with all findings in the sources
 */
export async function generatedRoles(
  { cwd }: Pick<CliContext, 'cwd'>,
  options: { readonly memory?: SourceMemory } = {},
): Promise<{ readonly documents: readonly SideDocument[]; readonly warnings: readonly Finding[] }> {
  const { files, warnings } = await generateAndRender({ projectDir: cwd, only: 'rbac', ...options });
  const roles = files.filter(({ template }) => template === 'role');
  return { documents: roles.flatMap(({ content, path }) => parseKubernetesYaml(content, path)), warnings };
}
