import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { operatorAccess, type OperatorAccess } from '../../../cluster/identity/index.ts';
import { isOpSdkError, OpSdkError } from '../../../base/errors/index.ts';
import { renderKustomization } from '../../../kubernetes/kustomize/index.ts';
import { layout } from '../../../project/project/index.ts';
import type { CliContext } from '../../command.ts';

/**
 * The folder whose kustomization has the operator's ServiceAccount and roles: config/default, else config/rbac; undefined in a project
 * that has neither.
 */
export async function accessFolder({ cwd }: Pick<CliContext, 'cwd'>): Promise<string | undefined> {
  for (const folder of [layout.defaultConfig, layout.rbac]) {
    const found = await stat(join(cwd, layout.kustomization(folder))).catch(() => undefined);
    if (found?.isFile() === true) return folder;
  }
  return undefined;
}

/**
 * Finds the account of the project's operator and its permissions in the rendered manifests.
 * @param isOptional the command has `--no-as-service-account`
 * @throws OpSdkError `kustomize/…`, `cluster/no-service-account`
 */
export async function accessInput(
  context: Pick<CliContext, 'cwd'>,
  { isOptional }: { readonly isOptional: boolean },
): Promise<OperatorAccess> {
  const { cwd } = context;
  const folder = (await accessFolder(context)) ?? layout.defaultConfig;
  try {
    return operatorAccess(await renderKustomization(folder, { cwd }), folder);
  } catch (error) {
    // What cannot be rendered need not keep anybody from running the operator.
    if (!isOpSdkError(error) || !isOptional) throw error;
    const findings = error.findings.map((finding) => ({
      ...finding,
      fix: [...(finding.fix ?? []), 'or run the operator as yourself: --no-as-service-account'],
    }));
    throw new OpSdkError(findings, { cause: error });
  }
}
